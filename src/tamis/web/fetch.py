"""Pages by their addresses: `fetch`, `extract_url`, and the same for those who await.

There is one download behind all of them, in a thread of its own, with the same guards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from typing import Any, TypedDict, Unpack

from tamis.errors import InputError
from tamis.flow import extract
from tamis.inputs import Fetched
from tamis.options import OptionFields, Options, change_options, choose_options
from tamis.result import Result
from tamis.web.download import Download, FetchLimits


class FetchFields(TypedDict, total=False):
    """The fields of `FetchLimits`, for type checkers, as keywords of `fetch`."""

    max_bytes: int
    timeout: float
    max_seconds: float
    max_redirects: int
    allow_private: bool
    pages_only: bool
    user_agent: str


class UrlFields(OptionFields, FetchFields, total=False):
    """The keywords of `extract_url`: those of `extract` and those of `fetch`."""


_FETCH_FIELDS = {each.name for each in fields_of(FetchLimits)}


def fetch(
    url: str,
    limits: FetchLimits | None = None,
    *,
    follow: Callable[[str], bool] = lambda address: True,
    **fields: Unpack[FetchFields],
) -> Fetched:
    """Read one page from the web: its bytes, final address, content type and status.

    Only http and https; private addresses are refused unless `allow_private=True`. The limits are a
    `FetchLimits`, or single fields of it. Redirects are followed and checked one by one; `follow`
    may end the path at the address of one. What fails is a `FetchError` or a `TooLargeError`.

        page = tamis.fetch("https://example.org/", timeout=5)
        page.body, page.url, page.content_type, page.status
    """
    download = _make_download(url, limits, follow, fields)
    try:
        return download.start().result(download.limits.max_seconds)
    except TimeoutError:
        raise download.too_late() from None
    finally:
        download.abandon()


async def fetch_async(
    url: str,
    limits: FetchLimits | None = None,
    *,
    follow: Callable[[str], bool] = lambda address: True,
    **fields: Unpack[FetchFields],
) -> Fetched:
    """Read one page from the web as `fetch` does, while others go on; cancelling ends it."""
    return await wait_for_page(_make_download(url, limits, follow, fields))


async def wait_for_page(download: Download) -> Fetched:
    """The page of a download; cancelling ends it."""
    import asyncio

    try:
        outcome = asyncio.wrap_future(download.start())
        return await asyncio.wait_for(outcome, download.limits.max_seconds)
    except TimeoutError:
        raise download.too_late() from None
    finally:
        download.abandon()


def extract_url(
    url: str,
    *,
    limits: FetchLimits | None = None,
    options: Options | None = None,
    **fields: Unpack[UrlFields],
) -> Result:
    """Fetch a page and keep what it is about: `fetch`, then `extract`.

    Takes the keywords of both; `max_bytes` and `max_seconds` hold for each of the two::

        tamis.extract_url("https://example.org/story", focus="recall").markdown
    """
    limits, options = _split_fields(limits, options, fields)
    return extract(fetch(url, limits), options=options)


async def extract_url_async(
    url: str,
    *,
    limits: FetchLimits | None = None,
    options: Options | None = None,
    **fields: Unpack[UrlFields],
) -> Result:
    """Fetch a page and keep what it is about, as `extract_url` does, while others go on."""
    import asyncio

    limits, options = _split_fields(limits, options, fields)
    fetched = await fetch_async(url, limits)
    return await asyncio.to_thread(extract, fetched, options=options)


def _make_download(
    url: str,
    limits: FetchLimits | None,
    follow: Callable[[str], bool],
    fields: Mapping[str, Any],
) -> Download:
    if not isinstance(url, str):
        raise InputError(f"url is {type(url).__name__}; give the address of a page as str")
    return Download(url, change_options(limits or FetchLimits(), fields), follow)


def _split_fields(
    limits: FetchLimits | None, options: Options | None, fields: Mapping[str, Any]
) -> tuple[FetchLimits, Options]:
    """The choices for each of the two steps; what both have counts for both."""
    ours = {name: value for name, value in fields.items() if name in _FETCH_FIELDS}
    shared = {"max_bytes", "max_seconds"}
    options = choose_options(
        options, {name: fields[name] for name in fields if name not in _FETCH_FIELDS - shared}
    )
    usual = FetchLimits(max_bytes=options.max_bytes, max_seconds=options.max_seconds)
    return change_options(limits or usual, ours), options
