"""Creatures by seed: rigs nobody has modelled, with scripted motions whose captions are exact."""
