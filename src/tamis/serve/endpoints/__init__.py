"""The endpoints: each is declared once, with its path, its models and its examples."""
