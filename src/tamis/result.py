"""What an extraction gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis.options import Options
from tamis.page.table import Page

if TYPE_CHECKING:
    from tamis.cloud.draw import Cloud
    from tamis.describe.metadata import Metadata
    from tamis.describe.overview import Item
    from tamis.describe.reasons import Reason

SCHEMA = 2
"""Version of the dictionary that `Result.to_dict` gives."""


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of the page and the verdict on it."""

    text: str
    """Its text, white space as a browser shows it."""
    score: float
    """How sure the method is that it is content, from 0 to 1."""
    label: bool
    """Whether it was kept."""
    kind: str
    """What it is part of: title, main, comments, navigation, related, promotion, form, ..."""
    start: int
    """Where its text begins in `Page.source`, in bytes."""
    end: int
    """Where its text ends in `Page.source`."""
    xpath: str
    """The lowest block-level element around it."""
    _result: Result = field(repr=False, compare=False)
    _number: int = field(repr=False, compare=False)

    @property
    def reason(self) -> str:
        """Why it was kept or dropped, in words."""
        return self._result.reasons[self._number].text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; without the reason, which takes its time."""
        return {name: getattr(self, name) for name in self.__slots__ if name[0] != "_"}


@dataclass(frozen=True, eq=False)
class Result:
    """The content of a page. Everything but the decision is made when asked for."""

    _page: Page | Callable[[], Page] = field(repr=False)
    scores: npt.NDArray[np.float64] = field(repr=False)
    """One score a block, from the method."""
    kept: npt.NDArray[np.bool_] = field(repr=False)
    """One decision a block."""
    options: Options = field(repr=False)
    """What the caller asked for."""
    url: str | None
    """Address of the page, if the caller gave it."""
    embedded: str | None = None
    """Where in the page the content was if its visible text is a shell: `json-ld`, for example.
    `page` is then made of that content."""
    site_pages: int = 0
    """Pages of the site that the decision rests on, if a `Site` made it."""
    _decided: npt.NDArray[np.bool_] | None = field(default=None, repr=False)
    _text: str | None = field(default=None, repr=False)

    @property
    def method(self) -> str:
        """Name of the method that scored the blocks."""
        return self.options.method

    @cached_property
    def page(self) -> Page:
        """The page table; a result of another process reads the page again for it."""
        return self._page if isinstance(self._page, Page) else self._page()

    # The content

    @cached_property
    def text(self) -> str:
        """The kept blocks as plain text, one a line."""
        from tamis.render import text

        return text.render(self.page, self.kept) if self._text is None else self._text

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown (CommonMark with tables, footnotes and formulas)."""
        from tamis.render import markdown

        return markdown.render(self.page, self.kept, self.url, self.options)

    @cached_property
    def html(self) -> str:
        """The kept blocks as clean HTML: no scripts, no styles, no classes, absolute addresses."""
        from tamis.render import html

        return html.render(self.page, self.kept, self.url, self.options)

    @cached_property
    def comments(self) -> str:
        """What readers wrote below, as plain text, whether it was kept or not."""
        from tamis.describe.regions import KIND
        from tamis.render import text

        return text.render(self.page, self.regions == KIND["comments"])

    def weighed_blocks(self) -> list[tuple[str, float]]:
        """The kept blocks with their scores, or 1 for those that a switch of `options` kept."""
        kept = np.flatnonzero(self.kept)
        scores = self.scores if self._decided is None else np.where(self._decided, self.scores, 1.0)
        return list(zip(self.page.block_texts(kept), scores[kept].tolist(), strict=True))

    def cloud(self, most: int = 80) -> Cloud:
        """The words that matter here, to be drawn: `result.cloud().svg()`."""
        return cloud([self], most)

    # About the page

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, each with where it came from."""
        from tamis.describe.metadata import describe

        return describe(self.page, self.url, self.options.today)

    @cached_property
    def page_types(self) -> dict[str, float]:
        """Probability of each type of page, the most probable first."""
        from tamis.describe.page_type import page_types

        return page_types(self.page, self.url)

    @property
    def page_type(self) -> str:
        """Article, forum, product, collection, listing, documentation or service."""
        return max(self.page_types, key=self.page_types.__getitem__)

    @cached_property
    def overview(self) -> float:
        """Probability that the page is an overview: a list of teasers, products, threads."""
        from tamis.describe import overview

        return overview.chance(self.page_types)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The entries of an overview page; none if it more likely is not one."""
        from tamis.describe import overview

        return overview.items(self.page, self.scores, self.url) if self.overview > 0.5 else ()

    # The blocks

    @cached_property
    def regions(self) -> npt.NDArray[np.uint8]:
        """Number of the kind of each block, see `tamis.describe.regions.KINDS`."""
        from tamis.describe.regions import regions

        return regions(self.page, self.kept if self._decided is None else self._decided, self.url)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each block was kept or dropped."""
        from tamis.describe.reasons import Reason, reasons

        if self.embedded:
            return (Reason(f"Kept: taken from {self.embedded} in the page.", ""),) * len(self.kept)
        found = reasons(self.page, self.scores, self.kept, self.options)
        if self.site_pages:
            also = f" That is the page alone; {self.site_pages:,} pages of the site count too."
            found = tuple(replace(one, because=one.because + also) for one in found)
        return found

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page, kept or not, in document order."""
        from tamis.describe.regions import KINDS

        page = self.page
        texts, columns = page.texts, page.blocks
        every = np.arange(len(columns))
        return tuple(
            map(
                Block,
                page.block_texts(every),
                self.scores.tolist(),
                self.kept.tolist(),
                map(KINDS.__getitem__, self.regions.tolist()),
                texts.start[columns.first_text].tolist(),
                texts.end[columns.end_text - 1].tolist(),
                map(page.xpath, columns.node.tolist()),
                repeat(self),
                every.tolist(),
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain dictionaries and lists, ready for JSON. See docs/output.md."""
        from tamis.render import json

        return {
            "schema": SCHEMA,
            "url": self.url,
            "method": self.method,
            "encoding": self.page.encoding,
            "embedded": self.embedded,
            "site_pages": self.site_pages,
            "metadata": self.metadata.to_dict(),
            "page_type": self.page_type,
            "page_types": self.page_types,
            "overview": self.overview,
            "items": [asdict(item) for item in self.items],
            "text": self.text,
            "document": json.render(self.page, self.kept, self.url, self.options),
            "blocks": [block.to_dict() for block in self.blocks],
        }


def cloud(results: Iterable[Result], most: int = 80, *, against: Iterable[Result] = ()) -> Cloud:
    """One cloud of several pages: the words that matter in them together.

    With pages to tell them from it is made of what is more frequent here than there.

    >>> from tamis import extract
    >>> pages = ["<p>A sieve for flour, a sieve for soup.", "<p>A sieve is also for sand."]
    >>> drawn = cloud(extract(page) for page in pages)
    >>> drawn.terms[0]
    Term(term='sieve', weight=1.0, count=3)
    """
    from tamis.cloud.draw import cloud_of
    from tamis.cloud.terms import Text

    found = list(results)
    here, there = (
        [Text(result.weighed_blocks(), result.metadata.language) for result in some]
        for some in (found, against)
    )
    only = found[0] if len(found) == 1 else None
    return cloud_of(
        here,
        title=only.metadata.title if only else "",
        url=only.url if only and not only.embedded else None,
        most=most,
        against=there,
    )
