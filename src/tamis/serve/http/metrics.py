"""Counts and times, for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_BOUNDS_SECONDS = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
)


class Metrics:
    """What a service counts, in a registry of its own; threads may count, too."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        self._requests = counter(
            "tamis_requests", "Requests that were answered.", ("endpoint", "status")
        )
        self._rejects = counter("tamis_rejects", "Problems, by reason.", ("reason",))
        self._parts = Histogram(
            "tamis_part_seconds",
            "Time of fetch, extract and render.",
            ("part",),
            buckets=_BOUNDS_SECONDS,
            registry=self.registry,
        )
        self._lost = counter("tamis_workers_lost", "Worker processes lost, by reason.", ("reason",))

    def count_request(self, endpoint: str, status: int) -> None:
        self._requests.labels(endpoint, status).inc()

    def count_problem(self, reason: str) -> None:
        self._rejects.labels(reason).inc()

    def count_seconds(self, parts: Mapping[str, float]) -> None:
        """Count the time of some parts: fetch, extract, render."""
        for part, seconds in parts.items():
            self._parts.labels(part).observe(seconds)

    def count_lost_worker(self, reason: str) -> None:
        self._lost.labels(reason).inc()

    def write(self, gauges: Mapping[str, tuple[str, float]]) -> bytes:
        """Write all metrics; `gauges` are current values with their meaning, by name."""
        now = CollectorRegistry()
        for name, (meaning, value) in gauges.items():
            Gauge(name, meaning, registry=now).set(value)
        return generate_latest(self.registry) + generate_latest(now)
