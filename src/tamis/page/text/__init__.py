"""The text of a page: kinds of characters, character references, runs and blocks as strings."""
