"""What an extraction gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis._runtime.documented import document_fields
from tamis._runtime.libraries import make_frame
from tamis.decide.decision import Decision
from tamis.method_choices import is_name
from tamis.options import Options
from tamis.page.lazy import lazy
from tamis.page.table import Page
from tamis.page.tags import IN_HEADING
from tamis.render.text import render as render_text

if TYPE_CHECKING:
    from tamis.cloud.draw import Cloud
    from tamis.describe.blocks import Block
    from tamis.describe.metadata.record import Metadata
    from tamis.describe.reasons import Reason
    from tamis.describe.types.overview import Item
    from tamis.methods._base import Unit
    from tamis.render.chunks import Chunk
    from tamis.render.posts import Post

T = TypeVar("T")

SCHEMA = 3
"""Version of the dictionary that `Result.to_dict` gives."""


def _within_limits(make: Callable[[Result], T]) -> Callable[[Result], T]:
    """A view that is made at every call; a `LimitError` past the time and size of the options."""

    @wraps(make)
    def limited(result: Result) -> T:
        with limits.within(result.options.max_seconds, result.options.max_output):
            made = make(result)
            if isinstance(made, str):
                limits.check_output(len(made))
            return made

    return limited


def _view(make: Callable[[Result], T]) -> lazy[T]:
    """A view that is made once, within the limits."""
    return lazy(_within_limits(make))


@document_fields
@dataclass(frozen=True, eq=False)
class Result:
    """The content of a page. Everything but the decision is made when asked for."""

    _page: Page | Callable[[], Page] = field(repr=False)
    decision: Decision = field(repr=False)
    """What was kept, by what scores and what cut."""
    options: Options = field(repr=False)
    """What the caller asked for."""
    url: str | None
    """Address of the page, if the caller gave it."""
    _text: str | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        words = self.page.blocks.words
        return (
            f"<Result {self.metadata.title!r}: {self.page_type}, {words[self.kept].sum():,} of"
            f" {words.sum():,} words kept by {self.method}>"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the page with its kept and dropped blocks, see `explain`."""
        # In a frame of its own its styles stay there, and nothing in it can run.
        return (
            f"<p>{escape(repr(self))}</p>"
            f'<iframe sandbox srcdoc="{escape(self.explain())}" style="width:100%;height:32em">'
            "</iframe>"
        )

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """One score per block, from the method."""
        return self.decision.scores

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """One decision per block."""
        return self.decision.kept

    @property
    def embedded(self) -> str | None:
        """Where in the page the content was if its visible text is a shell: `json-ld`, for example.

        `page` is then made of that content.
        """
        return self.decision.embedded

    @property
    def method(self) -> str:
        """Name of the method that scored the blocks."""
        method = self.options.method
        if isinstance(method, str) and is_name(method):
            return method
        return self.options.make_method().name

    @property
    def site_pages(self) -> int:
        """Pages of the site that the decision rests on, if a `Site` made it."""
        method = self.options.method
        return 0 if is_name(method) else self.options.make_method().site_pages

    @lazy
    def page(self) -> Page:
        """The page table; a result of another process reads the page again for it."""
        return self._page if isinstance(self._page, Page) else self._page()

    # The content

    @_view
    def text(self) -> str:
        """The kept blocks as plain text, one per line."""
        if self._text is not None:
            return self._text
        if self.options.title is True:
            from tamis.render.outline.selection import split_title

            title, kept = split_title(self.page, self.kept, self.url)
            return f"{title}\n{render_text(self.page, kept)}".strip("\n")
        return render_text(self.page, self.kept)

    @_view
    def markdown(self) -> str:
        """The kept blocks as Markdown (CommonMark with tables, footnotes and formulas).

        With `Options.front_matter`, what is known about the page stands before it, as YAML.
        """
        from tamis.render.markdown import render

        text = render(self.page, self.kept, self.url, self.options)
        if self.options.front_matter:
            return f"{self._front_matter()}\n{text}".rstrip("\n")
        return text

    def _front_matter(self) -> str:
        from tamis.render.markdown import write_front_matter

        known = self.metadata
        return write_front_matter(
            {
                "title": known.title,
                "authors": known.authors,
                "date": known.date,
                "url": self.url or known.canonical,
                "language": known.language,
                "site": known.site_name,
                "page_type": self.page_type,
                "word_count": int(self.page.blocks.words[self.kept].sum()),
            }
        )

    @_view
    def html(self) -> str:
        """The kept blocks as clean HTML: no scripts, no styles, no classes, absolute addresses."""
        from tamis.render.clean_html import render

        return render(self.page, self.kept, self.url, self.options)

    def chunks(
        self, max_tokens: int = 512, overlap: int = 0, count: Callable[[str], int] | None = None
    ) -> tuple[Chunk, ...]:
        """The Markdown in parts of at most `max_tokens`, for search and language models.

        `overlap` is how many tokens of the chunk before one may repeat, `count` gives the tokens of
        a text; without it they are estimated, see `tamis.render.chunks.estimate`.
        """
        from tamis.render import chunks

        with limits.within(self.options.max_seconds, self.options.max_output):
            return chunks.render(
                self.page,
                self.kept,
                self.url,
                self.options,
                max_tokens=max_tokens,
                overlap=overlap,
                count=count,
            )

    @_view
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, a question and its answers, or the comments below an article.

        In the order of the page, whether they were kept or not; none if the page has none.
        """
        from tamis.describe.metadata.record import is_month_first
        from tamis.render import posts

        first = is_month_first(self.metadata.language)
        return posts.render(self.page, self.url, self.options, first)

    @_view
    def comments(self) -> str:
        """What readers wrote below an article, as plain text, whether it was kept or not.

        Empty on a page whose thread is what it is about; see `posts`.
        """
        return render_text(self.page, self.regions == "comments")

    @_within_limits
    def explain(self) -> str:
        """The page as one HTML file: every block with its score, its kind and its reason."""
        from tamis.render import explanation

        parts = self.page, self.decision, self.blocks, self.reasons
        return explanation.render(*parts, method=self.method, url=self.url)

    # About the page

    @_view
    def metadata(self) -> Metadata:
        """Title, authors, dates and the like, each with where it came from."""
        from tamis.describe.metadata.record import describe_page

        known = describe_page(self.page, self.url, self.options.today)
        limits.check_output(limits.count_characters(known.to_dict()))
        return known

    @_view
    def page_types(self) -> dict[str, float]:
        """Probability of each type of page, the most probable first."""
        from tamis.describe.types.page_type import estimate_types

        return estimate_types(self.page, self.url, self.options.page_type_weights)

    @property
    def page_type(self) -> str:
        """Article, forum, product, collection, listing, documentation or service."""
        from tamis.describe.types.page_type import decide_type

        return decide_type(self.page_types)

    @_view
    def overview(self) -> float:
        """Probability that the page is an overview: a list of teasers, products, threads.

        Of a method with its own verdict how sure it is, above 0.5 for an overview.
        """
        from tamis.describe.types import overview

        return overview.estimate_chance(
            self.page, self.options.make_method(), lambda: self.page_types
        )

    @_view
    def items(self) -> tuple[Item, ...]:
        """The entries of an overview page; none if it more likely is not one."""
        from tamis.describe.types import overview, page_type

        if not page_type.is_overview(self.overview):
            return ()
        return overview.find_items(self.page, self.scores, self.url)

    # The blocks

    @_view
    def regions(self) -> npt.NDArray[np.str_]:
        """The kind of each block: title, main, comments, navigation, related, footer and so on."""
        from tamis.describe.regions import KINDS, find_regions

        return np.array(KINDS)[find_regions(self.page, self.decision.chosen, self.url)]

    @_view
    def reasons(self) -> tuple[Reason, ...]:
        """Why each block was kept or dropped."""
        from tamis.describe.reasons import explain_blocks

        return explain_blocks(self.page, self.decision, self.options.make_method())

    @_view
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page, kept or not, in document order."""
        from tamis.describe.blocks import list_blocks

        return list_blocks(self.page, self.decision, self.regions, lambda: self.reasons)

    @_view
    def units(self) -> tuple[Unit, ...]:
        """The verdicts of methods that decide on something other than blocks."""
        units = self.options.make_method().units(self.page)
        limits.check_output(limits.count_characters(units))
        return units

    @_within_limits
    def to_frame(self) -> Any:
        """The blocks as a table of pandas, or of polars where there is no pandas.

        One row per block, with the fields of `Block` as columns.
        """
        from tamis.describe.blocks import COLUMNS

        return make_frame(
            {name: [getattr(block, name) for block in self.blocks] for name in COLUMNS}
        )

    # The cloud

    def cloud(self, most: int = 80) -> Cloud:
        """The words that matter here, to be drawn: `result.cloud().svg()`."""
        with limits.within(self.options.max_seconds, self.options.max_output):
            cloud = word_cloud([self], most=most)
            limits.check_output(limits.count_characters(cloud))
            return cloud

    def weighed_blocks(self) -> list[tuple[str, float]]:
        """The kept blocks with their scores, or 1 for those that a switch of `options` added.

        Of a thread only headings and what was written in its posts, no names, ranks and dates.
        """
        kept = np.flatnonzero(self.kept)
        scores = np.where(self.decision.chosen, self.scores, 1.0)[kept]
        texts = self.page.block_texts(kept)
        written = {line for post in self.posts for line in post.text.split("\n")}
        own = np.array([written.issuperset(text.split("\n")) for text in texts], bool)
        words = self.page.blocks.words[kept]
        if 2 * words[own].sum() > words.sum():
            own |= self.page.blocks.flags[kept] & IN_HEADING != 0
        else:
            own[:] = True
        return [
            (text, score)
            for text, score, wanted in zip(texts, scores.tolist(), own.tolist(), strict=True)
            if wanted
        ]

    @_within_limits
    def to_dict(self) -> dict[str, Any]:
        """The result as plain dictionaries and lists, ready for JSON.

        docs/reference/output.md explains them, render/result.schema.json is their JSON Schema.
        """
        from tamis.describe.blocks import count_characters
        from tamis.render import document

        metadata, blocks = self.metadata.to_dict(), self.blocks
        lists = [list(map(asdict, records)) for records in (self.items, self.posts, self.units)]
        length = len(self.text) + sum(map(count_characters, blocks))
        length += limits.count_characters((metadata, lists))
        content = document.render(self.page, self.kept, self.url, self.options, length)
        items, posts, units = lists
        return {
            "schema": SCHEMA,
            "url": self.url,
            "method": self.method,
            "encoding": self.page.encoding,
            "embedded": self.embedded,
            "site_pages": self.site_pages,
            "metadata": metadata,
            "page_type": self.page_type,
            "page_types": self.page_types,
            "overview": self.overview,
            "items": items,
            "text": self.text,
            "document": content,
            "blocks": [block.to_dict() for block in blocks],
            **({"posts": posts} if posts else {}),
            **({"units": units} if units else {}),
        }


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
    from tamis.cloud.draw import cloud_of
    from tamis.cloud.terms import Text

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
