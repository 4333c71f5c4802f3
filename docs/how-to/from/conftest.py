"""tests/integrations/test_guides.py runs these pages: they need the libraries they come from."""

collect_ignore_glob = ["*.md"]
