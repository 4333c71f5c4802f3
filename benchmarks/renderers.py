"""Renderers of Markdown in their usual and their most permissive set-ups, and what they may make.

`SETUPS` are functions from Markdown to HTML, by name. `faults` says what of this HTML cannot come
from the marks that tamis writes: other elements and attributes, addresses with a scheme that runs
something, and addresses that were text in the page (those of benchmarks/hostile_places.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote

import commonmark
import markdown
import markdown2
import marko
import mistletoe
import mistletoe.html_renderer
import mistune
import turbohtml
from markdown_it import MarkdownIt
from marko.ext.gfm import gfm
from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from tamis.page import tags as tamis_tags

EXTENSIONS = (
    "extra", "admonition", "codehilite", "legacy_attrs", "legacy_em", "meta", "nl2br", "sane_lists",
    "smarty", "toc", "wikilinks",
)  # fmt: skip
EXTRAS = (
    "admonitions", "breaks", "code-friendly", "cuddled-lists", "fenced-code-blocks", "footnotes",
    "header-ids", "html-classes", "markdown-in-html", "middle-word-em", "numbering", "spoiler",
    "strike", "tables", "tag-friendly", "task_list", "tg-spoiler", "toc", "underline",
    "wiki-tables",
)  # fmt: skip
PLUGINS = (
    "abbr", "def_list", "footnotes", "insert", "mark", "math", "ruby", "spoiler", "strikethrough",
    "subscript", "superscript", "table", "task_lists", "url",
)  # fmt: skip

Setup = Callable[[str], str]


def all_of_markdown_it() -> MarkdownIt:
    """markdown-it with HTML and plugins, attributes among them."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for plugin in (
        attrs_plugin, attrs_block_plugin, deflist_plugin, dollarmath_plugin, footnote_plugin,
    ):  # fmt: skip
        parser.use(plugin)
    return parser


def markdown2_extras(source: str) -> str:
    """markdown2 with its extras; nothing where it fails by an assertion of its own."""
    try:
        return str(markdown2.markdown(source, extras=list(EXTRAS)))
    except AssertionError:
        return ""


def mistletoe_html(source: str) -> str:
    """mistletoe, which keeps HTML."""
    with mistletoe.html_renderer.HtmlRenderer() as renderer:
        return str(renderer.render(mistletoe.Document(source)))


def setups() -> dict[str, Setup]:
    """All set-ups by name."""
    without_html = MarkdownIt("js-default")
    with_html = MarkdownIt("commonmark", {"html": True}).enable("table")
    everything = all_of_markdown_it()
    escaping = mistune.create_markdown(escape=True, plugins=["table", "footnotes", "strikethrough"])
    passing = mistune.create_markdown(escape=False)
    permissive = mistune.create_markdown(escape=False, plugins=list(PLUGINS))
    return {
        "Python-Markdown": markdown.markdown,
        "Python-Markdown, extra": lambda source: markdown.markdown(source, extensions=["extra"]),
        "Python-Markdown, all": lambda source: markdown.markdown(source, extensions=EXTENSIONS),
        "markdown2": lambda source: str(markdown2.markdown(source)),
        "markdown2, extras": markdown2_extras,
        "markdown2, escaping": lambda source: str(markdown2.markdown(source, safe_mode="escape")),
        "commonmark": commonmark.commonmark,
        "markdown-it": without_html.render,
        "markdown-it, HTML": with_html.render,
        "markdown-it, all": everything.render,
        "mistune, escaping": lambda source: str(escaping(source)),
        "mistune": lambda source: str(passing(source)),
        "mistune, all": lambda source: str(permissive(source)),
        "marko": marko.convert,
        "marko, GFM": gfm.convert,
        "mistletoe": mistletoe_html,
    }


SETUPS = setups()

TAGS = frozenset(
    "html head body a blockquote br code dd del div dl dt em figcaption h1 h2 h3 h4 h5 h6 hr"
    " img input ins li mark ol p pre s section span strike strong sub sup table tbody td th"
    " thead tr u ul".split()
)
"""What the marks of Markdown become, with those of dialects and of highlighted code."""
ATTRIBUTES = {
    "a": {"href", "class", "id", "rel", "role", "title", "name"},
    "img": {"src", "alt"},
    "input": {"type", "class", "checked", "disabled"},  # of lists of tasks
    "li": {"id", "class"},
    "ol": {"start", "class"},
    "sup": {"id", "class"},
    "code": {"class"},
    "blockquote": {"class"},
    "figcaption": {"class", "id"},  # of numbered figures
    "hr": {"class"},
    "pre": {"class", "lang"},
    "div": {"class", "id"},
    "section": {"class", "id"},
    "span": {"class", "id"},
    "p": {"id", "class"},
    "td": {"align", "style"},
    "th": {"align", "style"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}
SCHEMES = frozenset(("", "http", "https", "mailto", "tel"))
HOST_OF_TEXT = "t.test"
"""Only in texts of the pages, never in addresses of theirs."""
ALIGNED = re.compile(r"text-align:\s*(left|right|center);?")
KNOWN = frozenset(tamis_tags.NAMES)
ACTS = re.compile(r"on|style$|is$")
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)


def elements(source: str) -> Iterator[Any]:
    """The elements of a document."""
    todo: list[Any] = [turbohtml.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, turbohtml.Element):
            yield node
        todo += getattr(node, "children", ())


def scheme(address: str) -> str:
    """The scheme as a browser sees it, which drops controls before it and breaks inside it."""
    match = SCHEME.match("".join(character for character in address if character > " "))
    return match[1].lower() if match else ""


def faults(source: str) -> list[str]:
    """What the HTML of a renderer has that did not come from marks."""
    found = []
    for element in elements(source):
        tag = element.tag
        if tag not in KNOWN and "-" not in tag:
            # Browsers do not know it: nothing but a handler or a style makes it do something.
            found += [f"attribute {name} of {tag}" for name in element.attrs if ACTS.match(name)]
            continue
        if tag not in TAGS:
            found.append(f"element {tag}")
        for name, value in element.attrs.items():
            text = " ".join(value) if isinstance(value, list) else value or ""
            if name not in ATTRIBUTES.get(tag, ()):
                found.append(f"attribute {name} of {tag}")
            elif name == "style" and not ALIGNED.fullmatch(text):
                found.append(f"style {text}")
            elif name in ("href", "src"):
                found += address_faults(element, text)
    return found


def address_faults(element: Any, address: str) -> Iterator[str]:
    """What is wrong with the address of a link or an image."""
    if scheme(address) not in (SCHEMES if element.tag == "a" else SCHEMES - {"mailto", "tel"}):
        yield f"link to {scheme(address)}:"
    # A renderer may make links of bare addresses in the text.
    bare = element.text.strip()
    if HOST_OF_TEXT in address.partition("//")[2].split("/")[0] and not (
        bare and unquote(unescape(address)).endswith(bare)
    ):
        yield "address from text"
