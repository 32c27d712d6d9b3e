"""Body plans: one file per kind of body, each a function from a random generator to a ``Body``."""
