"""The kept part of a page as events, which every format is written from."""
