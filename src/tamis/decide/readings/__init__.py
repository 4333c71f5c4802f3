"""Whole readings of a page, and the choice between them."""
