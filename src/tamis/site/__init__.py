"""What the pages of one site have in common, and sharper decisions by it."""
