"""Other people's extractors, each behind one small adapter from a page to its main text.

A library is imported when its adapter is loaded, in its own process (`contestants.py`). All get the
page as text, decoded by us where the set has bytes, and run with their defaults.
"""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tamis.bench.contestants import Contestant, Extractor
from tamis.describe.metadata.language import find_language_tags
from tamis.errors import MethodError, OptionsError
from tamis.page.encoding import decode

INSTALL = "pip install 'tamis[rivals]'"
Adapter = Callable[[str], str]


def make_rival(name: str) -> Contestant:
    """A rival as a contestant. Raises `MethodError` if it is unknown or not installed."""
    version = version_of(name)
    if version is None:
        raise MethodError(
            f"rival {name!r} is not installed; {INSTALL}, or leave it out of --rivals"
        )
    return Contestant(
        f"{name} {version}", f"{__name__}:load", (name,), f"{version} {_adapters_hash()}"
    )


@cache
def _adapters_hash() -> str:
    """A changed adapter gives other results from the same library."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def list_installed(names: Iterable[str] | None = None) -> tuple[str, ...]:
    """The rivals, or those of `names`, whose libraries are here."""
    return tuple(name for name in (RIVALS if names is None else names) if version_of(name))


def version_of(name: str) -> str | None:
    """The version of a rival's library, None if it is not here."""
    _get(name)
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def load(name: str) -> Extractor:
    try:
        adapter = _get(name)()
    except ImportError as error:
        raise MethodError(f"rival {name!r} cannot be imported ({error}); {INSTALL}") from error
    return lambda page: adapter(as_text(page))


def as_text(page: str | bytes) -> str:
    """The page as text; not every library reads bytes, and none should win by its decoder."""
    return page if isinstance(page, str) else decode(page).source.decode("utf-8", "replace")


def _get(name: str) -> Callable[[], Adapter]:
    try:
        return RIVALS[name]
    except KeyError:
        raise MethodError(f"no rival is called {name!r}; there are: {', '.join(RIVALS)}") from None


def _import(name: str) -> Any:
    return importlib.import_module(name)


# --- the adapters ------------------------------------------------------------------------------


def _trafilatura() -> Adapter:
    extract = _import("trafilatura").extract
    return lambda page: extract(page, include_comments=False) or ""


def _readability_lxml() -> Adapter:
    document = _import("readability").Document
    fromstring = _import("lxml.html").fromstring
    # It gives HTML; without white space at the ends of blocks their words would be glued.
    blocks = frozenset("br div h1 h2 h3 h4 h5 h6 li p pre td th tr".split())

    def adapter(page: str) -> str:
        tree = fromstring(document(page).summary(html_partial=True))
        for element in tree.iter():
            if element.tag in blocks:
                element.tail = f"\n{element.tail or ''}"
        return str(tree.text_content())

    return adapter


def _resiliparse() -> Adapter:
    extract = _import("resiliparse.extract.html2text").extract_plain_text
    return lambda page: str(extract(page, main_content=True))


_LANGUAGE = re.compile(r"<html\b[^>]*?\slang\s*=\s*[\"']?([a-z]{2})\b", re.IGNORECASE)
# Names of jusText's lists that are not names of languages as people write them.
_STOP_LISTS = {"no": "Norwegian_Bokmal", "nb": "Norwegian_Bokmal", "nn": "Norwegian_Nynorsk"}


def _justext() -> Adapter:
    library = _import("justext")
    lists = dict(_STOP_LISTS)
    for name in library.get_stoplists():
        with suppress(OptionsError):  # a language that pages do not declare by a code of ours
            lists |= dict.fromkeys(find_language_tags(name), name)

    def adapter(page: str) -> str:
        # The caller must name the language: what the page declares, English if it does not. Where
        # there is no list it runs without stop words, as its own command does if asked for none.
        declared = _LANGUAGE.search(page)
        language = lists.get(declared[1].lower() if declared else "en")
        if language:
            paragraphs = library.justext(page, library.get_stoplist(language))
        else:
            paragraphs = library.justext(page, frozenset(), stopwords_low=0, stopwords_high=0)
        kept = (paragraph for paragraph in paragraphs if not paragraph.is_boilerplate)
        return "\n".join(paragraph.text for paragraph in kept)

    return adapter


def _boilerpy3() -> Adapter:
    extractor = _import("boilerpy3.extractors").ArticleExtractor()
    return lambda page: str(extractor.get_content(page))


def _newspaper4k() -> Adapter:
    article = _import("newspaper").Article

    def adapter(page: str) -> str:
        parsed = article("https://example.org/", fetch_images=False)
        parsed.download(input_html=page, ignore_read_more=True)
        parsed.parse()
        return str(parsed.text)

    return adapter


def _goose3() -> Adapter:
    goose = _import("goose3").Goose()
    return lambda page: str(goose.extract(raw_html=page).cleaned_text)


def _turbohtml() -> Adapter:
    parse = _import("turbohtml").parse
    return lambda page: str(parse(page).main_text())


RIVALS = {
    "trafilatura": _trafilatura,
    "readability-lxml": _readability_lxml,
    "resiliparse": _resiliparse,
    "justext": _justext,
    "boilerpy3": _boilerpy3,
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
    "turbohtml": _turbohtml,
}
"""By the name of the library on PyPI."""
