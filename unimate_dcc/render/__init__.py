"""Skeletons and meshes to pictures, without Qt, a screen or USD."""
