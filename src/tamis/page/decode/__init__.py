"""From the bytes of a page to UTF-8: what kind of file they are, and in which encoding."""
