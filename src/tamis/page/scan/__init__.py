"""From UTF-8 to the columns of the page table, in one pass: tokens, runs of text, the tree."""
