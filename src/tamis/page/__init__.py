"""The page table: bytes to columns. `read.parse` is the entry."""
