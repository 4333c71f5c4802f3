"""A real browser for tests and benchmarks: Chromium, and one window of it as a person uses it."""
