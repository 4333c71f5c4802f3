"""What type a page is, and the entries of pages that are lists."""
