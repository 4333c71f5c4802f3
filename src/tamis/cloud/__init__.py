"""Tag clouds: the words that matter on a page, weighed and drawn."""
