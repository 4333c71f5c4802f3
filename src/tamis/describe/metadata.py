"""Title, authors, dates and the rest, each with where it came from.

Each value has candidates from JSON-LD, OpenGraph, other meta tags, microdata and the page itself,
the most reliable first; title, authors, dates and language each have a module that weighs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from tamis.describe import authors, publication, titles
from tamis.describe.language import language
from tamis.describe.structured import (
    Candidate,
    main_object,
    people,
    property_value,
    texts,
)
from tamis.page.addresses import Base, host_of
from tamis.page.json_ld import Object
from tamis.page.table import Page

# Names of meta elements, the best first.
_TITLES = "og:title twitter:title citation_title dc.title dcterms.title parsely-title".split()
_AUTHORS = (
    "author parsely-author sailthru.author article:author og:author og:article:author byl byline"
    " citation_author dc.creator dcterms.creator authors article:author_name cxenseparse:author"
).split()
_PUBLISHED = (
    "article:published_time og:published_time og:article:published_time article:published"
    " datepublished publishdate publish-date publish_date published-date publication_date pubdate"
    " parsely-pub-date sailthru.date citation_publication_date citation_date citation_online_date"
    " dc.date.issued dcterms.issued dc.date.created dcterms.created dc.created dc.issued"
    " cxenseparse:recs:publishtime originalpublicationdate displaydate date.created"
    " rnews:datepublished video:release_date dc.date dcterms.date date created sortdate"
).split()
_MODIFIED = (
    "article:modified_time og:updated_time og:modified_time article:modified datemodified"
    " dcterms.modified dc.date.modified last-modified lastmod revision_date modified updated"
).split()
_DESCRIPTIONS = (
    "og:description description twitter:description dc.description dcterms.description"
).split()
_IMAGES = (
    "og:image og:image:url og:image:secure_url twitter:image twitter:image:src thumbnail"
).split()
_SITE_NAMES = (
    "application-name apple-mobile-web-app-title dc.publisher citation_journal_title"
).split()
_LANGUAGES = "og:locale content-language language dc.language dcterms.language".split()
_KEYWORDS = (
    "news_keywords keywords parsely-tags sailthru.tags citation_keywords dc.subject"
).split()
META_NAMES = frozenset(
    name.encode()
    for name in (
        *_TITLES, *_AUTHORS, *_PUBLISHED, *_MODIFIED, *_DESCRIPTIONS, *_IMAGES, *_SITE_NAMES,
        *_LANGUAGES, *_KEYWORDS, "og:site_name", "og:url", "article:tag",
        "twitter:label1", "twitter:data1", "twitter:label2", "twitter:data2",
    )
)  # fmt: skip
"""The meta elements that are read."""

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
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each value that is not empty came from: `json-ld`, `opengraph`, `microdata`, `meta`,
    `html` (an element or attribute that is for it), `text` (what is written there), `url`."""

    @property
    def author(self) -> str:
        """The authors in one line."""
        return ", ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, or if nothing tells that, when it was changed."""
        return self.published or self.modified

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return values | {
            "authors": list(self.authors),
            "tags": list(self.tags),
            "sources": dict(self.sources),
        }


def describe(page: Page, url: str | None = None) -> Metadata:
    """What a page is called, who wrote it and when, and so on; `url` is its address."""
    declared = page.declared
    contents, main = declared.meta(META_NAMES), main_object(declared.objects)
    sheet = _Sheet(page, url or "", Base(page, url), contents, main)
    spoken = language(page, _languages(sheet))
    site = _first(_sites(sheet))
    canonical = _first(_addresses(sheet))
    address = sheet.url or canonical[0]
    host = host_of(address)
    head = titles.headline(page, list(_titles(sheet)), site[0], host)
    month_first = _MONTH_FIRST.get(spoken[0], False)
    shown = publication.Shown(page, head.block, declared.times, month_first)
    found: dict[str, tuple[Any, str]] = {
        "title": (head.title, head.source),
        "authors": _authors(sheet, head.block, site[0], host),
        "published": publication.published(
            publication.declared(_published(sheet), month_first), shown, address
        ),
        "modified": _first(publication.declared(_modified(sheet), month_first) or shown.near[1]),
        "site_name": site,
        "language": spoken,
        "canonical": canonical,
        "description": _first(_descriptions(sheet)),
        "image": _first(_images(sheet)),
        "tags": _tags(sheet),
    }
    return Metadata(
        **{name: value for name, (value, _) in found.items()},
        sources={name: source for name, (value, source) in found.items() if value},
    )


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What the readers of single values look at."""

    page: Page
    url: str
    base: Base
    contents: dict[str, list[str]]
    """Of the meta elements."""
    main: Object
    """The JSON-LD object that the page is about, empty if there is none."""

    def meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        """The contents of some meta elements, the first name first."""
        for name in names:
            for content in self.contents.get(name, ()):
                yield content, _source(name)

    def data(self, *names: str) -> Iterator[Candidate]:
        """Texts of the main object of the JSON-LD."""
        for name in names:
            for text in texts(self.main.get(name)):
                yield text, "json-ld"

    def microdata(self, *names: str) -> Iterator[Candidate]:
        """The values of microdata properties, in the order of the page."""
        properties = self.page.declared.properties
        nodes = [node for name in names for node in properties.get(name.encode(), ())[:20]]
        for node in sorted(nodes):
            yield property_value(self.page, node), "microdata"

    def absolute(self, address: str) -> str:
        """An address of the web made absolute, empty if it is none."""
        absolute = self.base.web(address) or "" if address.strip() else ""
        return absolute if "://" in absolute[:8] else ""


def _source(name: str) -> str:
    return "opengraph" if name.startswith(("og:", "article:")) else "meta"


def _first(candidates: Iterable[Candidate]) -> Candidate:
    return next((one for one in candidates if one[0]), ("", ""))


def _titles(sheet: _Sheet) -> Iterator[Candidate]:
    yield sheet.page.title, "html"
    yield from sheet.data("headline")
    yield from sheet.meta(_TITLES)


def _sites(sheet: _Sheet) -> Iterator[Candidate]:
    yield from sheet.meta(("og:site_name",))
    yield from sheet.data("publisher")
    yield from sheet.meta(_SITE_NAMES)


def _languages(sheet: _Sheet) -> Iterator[Candidate]:
    for value in sheet.page.declared.languages:
        yield value, "html"
    yield from sheet.data("inLanguage")
    yield from sheet.meta(_LANGUAGES)


def _addresses(sheet: _Sheet) -> Iterator[Candidate]:
    for address in sheet.page.declared.canonical:
        yield sheet.absolute(address), "html"
    for value, source in sheet.meta(("og:url",)):
        yield sheet.absolute(value), source


def _descriptions(sheet: _Sheet) -> Iterator[Candidate]:
    yield from sheet.meta(_DESCRIPTIONS)
    yield from sheet.data("description")
    yield from sheet.microdata("description")


def _images(sheet: _Sheet) -> Iterator[Candidate]:
    for value, source in sheet.meta(_IMAGES):
        yield sheet.absolute(value), source
    image = sheet.main.get("image")
    for one in image[:1] if isinstance(image, list) else (image,):
        address = one.get("url") if isinstance(one, dict) else one
        if isinstance(address, str):
            yield sheet.absolute(address), "json-ld"


def _published(sheet: _Sheet) -> Iterator[Candidate]:
    yield from sheet.data("datePublished", "dateCreated", "uploadDate")
    yield from sheet.meta(_PUBLISHED)
    yield from sheet.microdata("datePublished", "dateCreated", "uploadDate")


def _modified(sheet: _Sheet) -> Iterator[Candidate]:
    yield from sheet.data("dateModified")
    yield from sheet.meta(_MODIFIED)
    yield from sheet.microdata("dateModified")


def _tags(sheet: _Sheet) -> tuple[tuple[str, ...], str]:
    for candidates in (sheet.meta(("article:tag",)), sheet.data("keywords"), sheet.meta(_KEYWORDS)):
        found: dict[str, Candidate] = {}
        for value, source in candidates:
            for piece in _TAG_SEPARATOR.split(value)[:_MOST_TAGS]:
                if tag := piece.strip():
                    found.setdefault(tag.casefold(), (tag, source))
        if found:
            named = list(found.values())[:_MOST_TAGS]
            return tuple(tag for tag, _ in named), named[0][1]
    return (), ""


def _authors(sheet: _Sheet, headline: int, site: str, host: str) -> tuple[tuple[str, ...], str]:
    """Names and their source. One that is no more than the site's own is the last choice."""
    last: tuple[tuple[str, ...], str] = ((), "")
    for names, source in _bylines(sheet, headline):
        if not all(titles.names_site(name, site, host) for name in names):
            return tuple(names), source
        if not last[0]:
            last = tuple(names), source
    return last


def _bylines(sheet: _Sheet, headline: int) -> Iterator[tuple[list[str], str]]:
    yield authors.names_in(people(sheet.main, sheet.page.declared.objects)), "json-ld"
    meta = sheet.contents
    for name in _AUTHORS:
        if name in meta:
            yield authors.names_in(meta[name]), _source(name)
    for number in "12":
        # What a reader is shown beside a shared link: "Written by" and a name.
        label = meta.get("twitter:label" + number, [""])[0]
        if authors.starts_byline(label + " "):
            yield authors.names_in(meta.get("twitter:data" + number, [])), "meta"
    yield authors.byline(sheet.page, max(headline, 0)), "html"
