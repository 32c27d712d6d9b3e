"""Whole jobs, from a stage to a new layer: the only room where usd_io meets model."""
