"""The version of the package, for those who may not import all of it; its only home."""

__version__ = "0.2.0"
