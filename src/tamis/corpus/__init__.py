"""Corpus runs: from WARC files, folders, tables or lists of addresses to rows of text."""
