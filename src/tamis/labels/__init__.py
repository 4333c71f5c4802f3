"""Labelled pages: data sets, formats of other tools, labels of blocks, gold text on a page."""
