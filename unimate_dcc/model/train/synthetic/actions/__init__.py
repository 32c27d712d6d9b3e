"""What bodies do: one file per family of motions, each a function from a body to a ``Take``."""
