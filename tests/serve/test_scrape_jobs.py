"""The limits of batch scrapes."""

from __future__ import annotations

from typing import Any

import pytest
from firecrawl import Firecrawl
from firecrawl.v2.utils.error_handler import FirecrawlError
from tests.serve.endpoints.test_firecrawl import slow_site, until

Server = Any


def test_a_job_has_so_many_urls_and_bytes(serve: Any, site: str) -> None:
    with serve(allow_private=True, max_job_urls=4, max_job_bytes=4 * 2500) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        with pytest.raises(FirecrawlError, match="a job has at most 4 URLs"):
            client.start_batch_scrape([f"{site}/walls"] * 5)
        with pytest.raises(FirecrawlError, match="the URLs are too long"):
            client.start_batch_scrape([f"{site}/{'x' * 3000}"])
        name = client.start_batch_scrape([f"{site}/walls"] * 4).id
        until(lambda: client.get_batch_scrape_status(name).status == "completed")
        kept = len(client.get_batch_scrape_status(name).data)
        errors = client.get_batch_scrape_errors(name).errors
        assert 1 <= kept < 4
        assert len(errors) == 4 - kept
        assert "too large to be kept" in errors[0].error
        assert 0 < server.metric("tamis_jobs_held_bytes") <= 2500


def test_jobs_that_have_ended_make_room_for_others(serve: Any) -> None:
    with slow_site() as (site, opened), serve(allow_private=True, max_jobs=2) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        first = client.start_batch_scrape([f"{site}/walls"]).id
        until(lambda: client.get_batch_scrape_status(first).status == "completed")
        running = [client.start_batch_scrape([f"{site}/slow"]).id for _ in range(2)]
        with pytest.raises(FirecrawlError, match="there is no such job"):
            client.get_batch_scrape_status(first)
        assert server.metric("tamis_jobs") == 2
        refused = server.post("/v2/batch/scrape", urls=[f"{site}/walls"])
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "10"
        opened.set()
        for name in running:
            until(lambda name=name: client.get_batch_scrape_status(name).status == "completed")


def test_bytes_of_jobs_that_have_ended_make_room(serve: Any, site: str) -> None:
    with serve(allow_private=True, max_job_bytes=4 * 2500) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        names = []
        for _ in range(12):
            names.append(client.start_batch_scrape([f"{site}/walls"]).id)
            until(lambda: client.get_batch_scrape_status(names[-1]).data)
        assert server.metric("tamis_jobs_held_bytes") <= 4 * 2500
        with pytest.raises(FirecrawlError, match="there is no such job"):
            client.get_batch_scrape_status(names[0])


def test_a_job_ends_and_is_forgotten_in_time(serve: Any) -> None:
    with slow_site() as (site, opened), serve(allow_private=True, max_job_seconds=1.0) as server:
        name = server.post("/v2/batch/scrape", urls=[f"{site}/slow"]).json()["id"]
        path = f"/v2/batch/scrape/{name}"
        until(lambda: server.get(path).json()["status"] == "failed")
        opened.set()
        until(lambda: server.get(path).status_code == 404)


def test_jobs_leave_room_for_requests(serve: Any) -> None:
    with slow_site() as (site, opened), serve(allow_private=True, queue=4) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        names = [
            client.start_batch_scrape([f"{site}/slow/{number}" for number in range(50)]).id
            for _ in range(8)
        ]
        assert client.scrape(f"{site}/walls").markdown
        assert server.get("/readyz").status_code == 200
        opened.set()
        until(lambda: client.get_batch_scrape_status(names[-1]).completed)
        assert server.service.workers.busy + server.service.workers.waiting <= 1
        assert client.scrape(f"{site}/walls").markdown


def test_a_job_that_runs_does_not_hold_up_the_end(serve: Any) -> None:
    with slow_site() as (site, opened):
        with serve(allow_private=True) as server:
            server.post("/v2/batch/scrape", urls=[f"{site}/slow/{number}" for number in range(9)])
        opened.set()
