"""Counts and times in the text format of Prometheus."""

from __future__ import annotations

from tamis.serve.http.metrics import Metrics


def test_what_is_counted_is_written_with_its_labels() -> None:
    metrics = Metrics()
    metrics.count_request("/v1/extract", 200)
    metrics.count_request("/v1/extract", 200)
    metrics.count_problem("busy")
    metrics.count_lost_worker("memory")
    metrics.count_seconds({"fetch": 0.2, "extract": 0.001})
    lines = metrics.write({"tamis_workers": ("Worker processes.", 3)}).decode().splitlines()
    for line in (
        'tamis_requests_total{endpoint="/v1/extract",status="200"} 2.0',
        'tamis_rejects_total{reason="busy"} 1.0',
        'tamis_workers_lost_total{reason="memory"} 1.0',
        'tamis_part_seconds_bucket{le="0.25",part="fetch"} 1.0',
        'tamis_part_seconds_bucket{le="0.1",part="fetch"} 0.0',
        'tamis_part_seconds_bucket{le="0.001",part="extract"} 1.0',
        "# HELP tamis_workers Worker processes.",
        "tamis_workers 3.0",
    ):
        assert line in lines


def test_two_services_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.count_problem("busy")
    assert b"busy" in one.write({})
    assert b"busy" not in other.write({})
