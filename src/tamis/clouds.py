"""One cloud of several pages."""

from __future__ import annotations

from collections.abc import Iterable

from tamis.cloud.draw import Cloud, cloud_of
from tamis.cloud.terms import Text
from tamis.result import Result


def word_cloud(
    results: Iterable[Result], *, most: int = 80, against: Iterable[Result] = ()
) -> Cloud:
    """One cloud of several pages: the words that matter in them together.

    With pages to compare with it is made of what is more frequent here than there.

    >>> from tamis import extract
    >>> pages = ["<p>A sieve for flour, a sieve for soup.", "<p>A sieve is also for sand."]
    >>> drawn = word_cloud(extract(page) for page in pages)
    >>> drawn.terms[0]
    Term(term='sieve', weight=1.0, count=3)
    """
    pages = list(results)
    here, there = (
        [Text(result.weighed_blocks(), result.metadata.language) for result in group]
        for group in (pages, against)
    )
    only = pages[0] if len(pages) == 1 else None
    return cloud_of(
        here,
        title=only.metadata.title if only else "",
        url=only.url if only and not only.embedded else None,
        most=most,
        against=there,
    )
