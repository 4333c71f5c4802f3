"""Fixtures that the benchmarks share with the tests of the bench."""

from tests.bench.conftest import site_set, small_set

__all__ = ["site_set", "small_set"]
