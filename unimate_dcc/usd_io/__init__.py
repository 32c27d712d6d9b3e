"""The border to USD: what is read leaves as plain numpy, what is written comes from it."""
