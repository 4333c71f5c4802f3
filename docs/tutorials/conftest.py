"""tests/docs/test_tutorials.py runs these pages, from top to bottom in an empty folder."""

collect_ignore_glob = ["*.md"]
