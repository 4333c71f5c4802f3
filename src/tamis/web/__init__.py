"""Pages by their addresses: guarded downloads, and extraction right after them."""
