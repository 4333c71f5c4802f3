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

from tamis.describe import read_word_lists
from tamis.describe.metadata.authors import find_authors
from tamis.describe.metadata.dates import find_dates
from tamis.describe.metadata.language import find_language
from tamis.describe.metadata.products import Product, find_product
from tamis.page.addresses import Base
from tamis.page.declared import Candidate, Declared, list_people
from tamis.page.headline import find_headline
from tamis.page.table import Page

# Names of meta elements, the best first.
_NAMES = read_word_lists("metadata/meta_names.tsv")
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


def describe_page(page: Page, url: str | None = None, today: dt.date | None = None) -> Metadata:
    """Describe a page: what it is called, who wrote it and when, and so on; `url` is its address.

    Dates later than `today` are not believed.
    """
    declared, base = page.declared, Base(page, url)
    structured, objects, main = tuple(declared.json_ld), declared.objects, declared.main
    links = ((link, "html") for link in declared.canonical)
    canonical = _find_address(base, chain(links, declared.of_meta(("og:url",))))
    images = _list_images(main.get("image"))
    image = _find_address(base, chain(declared.of_meta(_NAMES["image"]), images))
    people, site = list_people(main, objects), declared.site
    languages = chain(
        ((value, "html") for value in declared.languages),
        declared.of_data("inLanguage"),
        declared.of_meta(_NAMES["language"]),
    )
    language = find_language(page, languages)
    descriptions = chain(
        declared.of_meta(_NAMES["description"]),
        declared.of_data("description"),
        declared.of_properties("description"),
    )
    address = url or canonical[0]
    head = find_headline(page, address)
    near = max(head.near, 0)
    published, modified = find_dates(page, near, address, is_month_first(language[0]), today)
    values: dict[str, tuple[Any, str]] = {
        "title": (head.title, head.source),
        "authors": find_authors(page, near, address, people, is_dated=bool(published[0])),
        "published": published,
        "modified": modified,
        "site_name": site,
        "language": language,
        "canonical": canonical,
        "description": next((each for each in descriptions if each[0]), ("", "")),
        "image": image,
        "tags": _find_tags(declared),
        "product": find_product(page, head.title),
    }
    return Metadata(
        structured=structured,
        **{name: value for name, (value, _) in values.items()},
        sources={name: source for name, (value, source) in values.items() if value},
    )


def is_month_first(language: str) -> bool | None:
    """Whether 3/4/2025 is in March; None if it may be either."""
    return _MONTH_FIRST.get(language, False)


def _find_address(base: Base, candidates: Iterable[Candidate]) -> Candidate:
    """Find the first address of the web, made absolute."""
    for value, source in candidates:
        address = base.web(value)
        if address and "://" in address[:8]:
            return address, source
    return "", ""


def _list_images(image: Any) -> Iterator[Candidate]:
    for first in image[:1] if isinstance(image, list) else (image,):
        address = first.get("url") if isinstance(first, dict) else first
        if isinstance(address, str):
            yield address, "json-ld"


def _find_tags(declared: Declared) -> tuple[tuple[str, ...], str]:
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
