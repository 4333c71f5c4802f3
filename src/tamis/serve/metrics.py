"""Counts and times, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Times:
    """How long something took, as a histogram."""

    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self._sum = 0.0

    def add(self, seconds: float) -> None:
        """Count a time."""
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str, label: str) -> Iterator[str]:
        """The lines of the histogram."""
        below = 0
        for bound, count in zip((*map(str, _BOUNDS), "+Inf"), self._counts, strict=True):
            below += count
            yield f'{name}_bucket{{{label},le="{bound}"}} {below}'
        yield f"{name}_sum{{{label}}} {self._sum:.6f}"
        yield f"{name}_count{{{label}}} {below}"


class Metrics:
    """What the service counts. Only the event loop writes here."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._rejects: Counter[str] = Counter()
        self._parts: defaultdict[str, Times] = defaultdict(Times)

    def request(self, endpoint: str, status: int) -> None:
        """Count a request that was answered."""
        self._requests[endpoint, status] += 1

    def reject(self, reason: str) -> None:
        """Count a problem."""
        self._rejects[reason] += 1

    def took(self, parts: Mapping[str, float]) -> None:
        """Count the time of some parts: fetch, extract, render."""
        for part, seconds in parts.items():
            self._parts[part].add(seconds)

    def text(self, gauges: Mapping[str, tuple[str, float]], lost: Mapping[str, int]) -> str:
        """All of it; `gauges` are values of now with what they are, by name."""
        return "\n".join((*self._lines(gauges, lost), ""))

    def _lines(
        self, gauges: Mapping[str, tuple[str, float]], lost: Mapping[str, int]
    ) -> Iterator[str]:
        yield from _head("tamis_requests_total", "counter", "Requests that were answered.")
        for (endpoint, status), count in sorted(self._requests.items()):
            yield f'tamis_requests_total{{endpoint="{endpoint}",status="{status}"}} {count}'
        yield from _head("tamis_rejects_total", "counter", "Problems, by reason.")
        for reason, count in sorted(self._rejects.items()):
            yield f'tamis_rejects_total{{reason="{reason}"}} {count}'
        yield from _head("tamis_part_seconds", "histogram", "Time of fetch, extract and render.")
        for part, times in sorted(self._parts.items()):
            yield from times.lines("tamis_part_seconds", f'part="{part}"')
        yield from _head("tamis_workers_lost_total", "counter", "Worker processes lost, by reason.")
        for reason, count in sorted(lost.items()):
            yield f'tamis_workers_lost_total{{reason="{reason}"}} {count}'
        for name, (meaning, value) in gauges.items():
            yield from _head(name, "gauge", meaning)
            yield f"{name} {value:g}"


def _head(name: str, kind: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} {kind}"
