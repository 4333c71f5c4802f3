"""Title, authors, dates and the other metadata of a page."""
