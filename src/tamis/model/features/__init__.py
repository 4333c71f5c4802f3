"""Numbers about blocks, as functions over the columns of a page."""
