"""The views of a page: formats of what was kept, and pages that show and explain it."""
