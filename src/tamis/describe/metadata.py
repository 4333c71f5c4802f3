"""Title, authors, dates and the rest, each with where it came from.

Each value has candidates from JSON-LD, OpenGraph, other meta tags, microdata and the page itself,
the most reliable first; title, authors, dates and language each have a module that weighs them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import chain
from typing import Any

from tamis.describe import authors, publication
from tamis.describe.language import language
from tamis.describe.products import Product, product
from tamis.describe.word_lists import word_lists
from tamis.page.addresses import Base
from tamis.page.declared import Candidate, Declared
from tamis.page.headline import headline, names_site, own_names
from tamis.page.json_ld import people, texts
from tamis.page.table import Page

# Names of meta elements, the best first.
_NAMES = word_lists("meta_names.tsv")
_MOST_TAGS = 100
_TAG_SEPARATOR = re.compile(r"[,;|、،]")
# Whether 3/4/2025 is in March, by language; English without a country may be either.
_MONTH_FIRST = {"en-US": True, "en": None, "": None}


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a page. What is not known is empty."""

    title: str = ""
    """The headline, without the name of the site."""
    authors: tuple[str, ...] = ()
    """Names alone, in the order of the page."""
    published: str = ""
    """ISO 8601, as precise as the page: `2023-05-17` or `2023-05-17T09:30:00+02:00`."""
    modified: str = ""
    """ISO 8601."""
    site_name: str = ""
    language: str = ""
    """BCP 47: `en`, `pt-BR`."""
    canonical: str = ""
    """The page's own idea of its address."""
    description: str = ""
    image: str = ""
    """Address of the leading image."""
    tags: tuple[str, ...] = ()
    product: Product | None = None
    """Price, brand, rating and so on of the product that the page is about, if it is about one."""
    structured: tuple[Any, ...] = ()
    """All JSON-LD of the page as it is there, one value per script. Not in `to_dict`."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each value that is not empty came from: `json-ld`, `opengraph`, `microdata`, `meta`,
    `html` (an element or attribute that is for it), `text` (what is written there), `url`."""

    @property
    def author(self) -> str:
        """The authors in one line."""
        return ", ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, or if that is not known, when it was changed."""
        return self.published or self.modified

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        values = {value.name: getattr(self, value.name) for value in fields(self)}
        del values["structured"]
        return values | {
            "authors": list(self.authors),
            "tags": list(self.tags),
            "product": asdict(self.product) if self.product else None,
            "sources": dict(self.sources),
        }


_DATES = (
    ("published", "datePublished", "dateCreated", "uploadDate"),
    ("modified", "dateModified"),
)


def describe(page: Page, url: str | None = None, today: dt.date | None = None) -> Metadata:
    """What a page is called, who wrote it and when, and so on; `url` is its address.

    With `today`, what is dated later is not believed.
    """
    declared, base = page.declared, Base(page, url)
    languages = chain(
        ((value, "html") for value in declared.languages),
        declared.of_data("inLanguage"),
        declared.of_meta(_NAMES["language"]),
    )
    spoken = language(page, languages)
    canonical = _first(_addresses(declared, base))
    address = url or canonical[0]
    head = headline(page, address)
    order = month_first(spoken[0])
    shown = publication.Shown(page, head.near, order, today)
    descriptions = chain(
        declared.of_meta(_NAMES["description"]),
        declared.of_data("description"),
        declared.of_properties("description"),
    )
    published, modified = (
        publication.declared(_dates(declared, name, *properties), order, today)
        for name, *properties in _DATES
    )
    day = publication.find_published(published, modified, shown, address)
    values: dict[str, tuple[Any, str]] = {
        "title": (head.title, head.source),
        "authors": _authors(page, head.near, address, bool(day[0])),
        "published": day,
        "modified": publication.changed(modified, shown, day[0]),
        "site_name": declared.site,
        "language": spoken,
        "canonical": canonical,
        "description": _first(descriptions),
        "image": _first(_images(declared, base)),
        "tags": _tags(declared),
        "product": product(page, head.title),
    }
    return Metadata(
        structured=tuple(declared.json_ld),
        **{name: value for name, (value, _) in values.items()},
        sources={name: source for name, (value, source) in values.items() if value},
    )


def month_first(language: str) -> bool | None:
    """Whether 3/4/2025 is in March; None if it may be either."""
    return _MONTH_FIRST.get(language, False)


def _first(candidates: Iterable[Candidate]) -> Candidate:
    return next((candidate for candidate in candidates if candidate[0]), ("", ""))


def _absolute(base: Base, address: str) -> str:
    """An address of the web made absolute, empty if it is none."""
    absolute = base.web(address)
    return absolute if absolute and "://" in absolute[:8] else ""


def _dates(declared: Declared, name: str, *properties: str) -> Iterator[Candidate]:
    yield from declared.of_data(*properties)
    yield from declared.of_meta(_NAMES[name])
    yield from declared.of_properties(*properties)


def _addresses(declared: Declared, base: Base) -> Iterator[Candidate]:
    for address in declared.canonical:
        yield _absolute(base, address), "html"
    for value, source in declared.of_meta(("og:url",)):
        yield _absolute(base, value), source


def _images(declared: Declared, base: Base) -> Iterator[Candidate]:
    for value, source in declared.of_meta(_NAMES["image"]):
        yield _absolute(base, value), source
    image = declared.main.get("image")
    for first in image[:1] if isinstance(image, list) else (image,):
        address = first.get("url") if isinstance(first, dict) else first
        if isinstance(address, str):
            yield _absolute(base, address), "json-ld"


def _tags(declared: Declared) -> tuple[tuple[str, ...], str]:
    for candidates in (
        declared.of_meta(("article:tag",)),
        declared.of_data("keywords"),
        declared.of_meta(_NAMES["keywords"]),
    ):
        by_folded: dict[str, Candidate] = {}
        for value, source in candidates:
            for piece in _TAG_SEPARATOR.split(value)[:_MOST_TAGS]:
                if tag := piece.strip():
                    by_folded.setdefault(tag.casefold(), (tag, source))
        if by_folded:
            named = list(by_folded.values())[:_MOST_TAGS]
            return tuple(tag for tag, _ in named), named[0][1]
    return (), ""


def _authors(
    page: Page, headline: int, address: str, is_dated: bool
) -> tuple[tuple[str, ...], str]:
    """Names and their source. One that is no more than the site's own is the last choice.

    And none at all where the page is neither dated nor an article.
    """
    last: tuple[tuple[str, ...], str] = ((), "")
    own = own_names(page, address)
    for names, source in _bylines(page, headline):
        if not all(names_site(name, own) for name in names):
            return tuple(names), source
        if not last[0]:
            last = tuple(names), source
    return last if is_dated or _is_article(page.declared) else ((), "")


def _is_article(declared: Declared) -> bool:
    """Whether a page says that it is one; shops and services call themselves authors, too."""
    kinds = [*declared.contents("og:type"), *texts(declared.main.get("@type"))]
    return any(kind.lower().endswith(("article", "posting", "blog")) for kind in kinds)


def _bylines(page: Page, headline: int) -> Iterator[tuple[list[str], str]]:
    declared = page.declared
    yield authors.names_in(people(declared.main, declared.objects)), "json-ld"
    for name in _NAMES["authors"]:
        if name in declared.meta and (candidates := list(declared.of_meta([name]))):
            yield authors.names_in([content for content, _ in candidates]), candidates[0][1]
    for number in "12":
        # What a reader is shown beside a shared link: "Written by" and a name.
        label = next(declared.contents("twitter:label" + number), "")
        if authors.starts_byline(label + " "):
            yield authors.names_in([*declared.contents("twitter:data" + number)]), "meta"
    yield authors.byline(page, max(headline, 0)), "html"
