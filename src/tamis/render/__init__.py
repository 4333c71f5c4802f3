"""The kept blocks of a page as text."""
