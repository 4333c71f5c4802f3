"""The article that a page carries in its scripts.

Pages that are put together by script often hold their text twice, as JSON-LD and as the state of
the script (`__NEXT_DATA__` and its like), or nowhere else. What is looked for: the body that
JSON-LD names as such; in other JSON the longest text, or the list whose items hold the most text
(the rich-text trees of content systems). Better nothing than the labels of buttons. What is there
twice (as text and as HTML, in a summary and in the body) is taken once.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis._runtime import limits
from tamis.decide.decision import Decision
from tamis.decide.steps.repeated_passages import Passages, share_of_runs
from tamis.methods._base import Flags
from tamis.options import Options
from tamis.page import reader as read
from tamis.page import tags
from tamis.page.declared import Object, is_subject, read_json
from tamis.page.table import Page
from tamis.page.text.characters import HAN_WORD, SEA_WORD

SCRIPT = tags.ID["script"]
_MOST_BYTES = 8 << 20  # of scripts that are read
_LEAST_BYTES = 500  # a script below has no article
_MOST_VALUES = 200_000  # of JSON that are visited
_OFTEN = 1000  # values after which the limits of the call are looked at
_MOST_DEPTH = 60  # of lists and objects inside each other
_LEAST_WORDS = 100  # of a body that is worth showing
_PARAGRAPH = 12  # words of a text that is not a label
_LEAST_PARAGRAPHS = 3
_MOST_STEPS = 200  # of a recipe
_MOST_OF = 0.7
_LONGEST_TITLE = 500  # characters
_TITLE_SHARE = 1 / 3  # of the title's words, which name the site, too

_STATE = re.compile(
    rb"\s*(?:window|self|globalThis)(?:\.|\[[\"'])(\w{3,40})(?:[\"']\])?\s*=\s*(?=\{)"
)
_TEXT_KEY = re.compile(
    r"(?:body|content|html|text|value|markdown|article|rendered|paragraph|copy|description)s?$",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?(?:p|br|div|h[1-6]|ul|ol|li|table|blockquote|figure)\b[^<>]*>", re.IGNORECASE
)
_INLINE = re.compile(r"</(?:a|b|cite|code|em|i|s|small|span|strong|sub|sup|u)>", re.IGNORECASE)
_KINDS = frozenset(("type", "_type", "nodeType", "tag", "kind", "children"))
_CODE = re.compile(r"^\s*<(?:script|style|iframe)|function\s*\(|\{\s*\w+\s*:|;\s*\}", re.IGNORECASE)
_JSON = ("[{", '{"')
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"<[^<>]*>")
_HAN = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_SEA = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]")


@dataclass(frozen=True, slots=True)
class Embedded:
    """An article in a script."""

    source: str
    """`json-ld`, or the id or variable of the script: `__NEXT_DATA__`."""
    html: str
    """The article as HTML."""
    words: int
    """About how long it is."""


def find_article(page: Page) -> Embedded | None:
    """Find the longest article in the scripts of a page; JSON-LD comes first."""
    best = _read_json_ld(page.declared.objects)
    if best:
        return best
    room = _MOST_BYTES
    for node, kind, name in _list_scripts(page):
        size = int(page.nodes.close[node] - page.nodes.start[node])
        if size > room:
            continue
        room -= size
        source, value = _read_state(page, node, kind, name)
        if value is None:
            continue
        body = _find_longest_body(value)
        words = _count_words(body)
        if (
            words >= _LEAST_WORDS
            and words > (best.words if best else 0)
            and _speaks_of_title(page, body)
        ):
            best = Embedded(source, body, words)
    return best


def _speaks_of_title(page: Page, body: str) -> bool:
    """Whether a body speaks of what the title of its page says."""
    title = {
        word for word in _WORD.findall(page.title[:_LONGEST_TITLE].casefold()) if len(word) > 3
    }
    if not title:
        return False
    folded = body.casefold()
    return sum(word in folded for word in title) >= _TITLE_SHARE * len(title)


def _list_scripts(page: Page) -> list[tuple[int, str, str]]:
    """Scripts that may hold data but are no JSON-LD: element, type and id."""
    nodes = page.nodes
    long = (nodes.tag == SCRIPT) & (nodes.close - nodes.start > _LEAST_BYTES)
    scripts = []
    for node in np.flatnonzero(long).tolist():
        kind = (page.attribute(node, "type") or "").lower()
        if (not kind or ("j" in kind and "ld+json" not in kind)) and (
            page.attribute(node, "src") is None
        ):
            scripts.append((node, kind, page.attribute(node, "id") or ""))
    return scripts


def _read_state(page: Page, node: int, kind: str, name: str) -> tuple[str, Any]:
    """The name and the value of a script that is JSON or sets a variable to it."""
    if "json" in kind:
        return name or "json", read_json(page.content(node))
    begin = page.source.find(b">", page.nodes.start[node]) + 1
    match = _STATE.match(page.source[begin : begin + 200])
    if not match:
        return "", None
    content = page.source[begin + match.end() : page.nodes.close[node]]
    return match[1].decode(), read_json(content.decode("utf-8", "replace"))


# --- JSON-LD --------------------------------------------------------------------------------


def _read_json_ld(objects: list[Object]) -> Embedded | None:
    best = None
    for described in filter(is_subject, objects):
        parts = list(_write_parts(described))
        doubles = Passages(parts).find_doubles(0, len(parts))
        body = "\n".join(
            part for part, is_double in zip(parts, doubles, strict=True) if not is_double
        )
        words = _count_words(body)
        if words >= _LEAST_WORDS and (best is None or words > best.words):
            best = Embedded("json-ld", body, words)
    return best


def _write_parts(described: Object) -> Iterator[str]:
    """The pieces of an article, a recipe, a product or a question as HTML."""
    for name in ("articleBody", "text"):
        if isinstance(described.get(name), str):
            yield make_html(described[name])
            break
    else:
        if isinstance(described.get("description"), str):
            yield make_html(described["description"])
    yield _write_list("ul", described.get("recipeIngredient"))
    yield _write_list("ol", described.get("recipeInstructions"))
    for name in ("acceptedAnswer", "suggestedAnswer"):
        answers = described.get(name)
        for answer in answers[:100] if isinstance(answers, list) else (answers,):
            if isinstance(answer, dict) and isinstance(answer.get("text"), str):
                yield make_html(answer["text"])


def _write_list(tag: str, value: Any) -> str:
    """Ingredients or steps as a list; the steps of a section are inside of it."""
    steps = value if isinstance(value, list) else [value]
    lines: list[str] = []
    for step in steps[:_MOST_STEPS]:
        inner = step.get("itemListElement") if isinstance(step, dict) else None
        for line in inner[:_MOST_STEPS] if isinstance(inner, list) else [step]:
            text = line.get("text") if isinstance(line, dict) else line
            if isinstance(text, str):
                plain = html.escape(html.unescape(text), quote=False)
                lines.append(text if _MARKUP.search(text) else plain)
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<{tag}>{items}</{tag}>" if items else ""


def make_html(text: str) -> str:
    """A text of JSON as HTML: as it is if it has markup, else a paragraph for each line."""
    if _MARKUP.search(text):
        return text
    if "&lt;" in text and _MARKUP.search(unescaped := html.unescape(text)):
        return unescaped
    if not _INLINE.search(text):
        text = html.escape(html.unescape(text), quote=False)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(f"<p>{line}</p>" for line in lines if line)


# --- Other JSON -----------------------------------------------------------------------------


def _find_longest_body(value: Any) -> str:
    """The longest text in a JSON value, or the texts of the list that holds the most."""
    texts = list(_walk_texts(value))
    passages = Passages([text for text, _ in texts])
    longest, longest_words = "", 0
    lists: dict[int, _Held] = {}
    for number, (text, around) in enumerate(texts):
        words = _count_words(text)
        if words > longest_words:
            longest, longest_words = text, words
        for depth, (items, _) in enumerate(around):
            held = lists.setdefault(id(items), _Held(items, depth, number))
            held.end = number + 1
            held.words += words
            held.paragraphs += words >= _PARAGRAPH
    for held in lists.values():
        held.words *= passages.measure_distinct(held.first, held.end)
    # Outer lists hold what inner ones hold and more: the innermost with most of the words.
    most = max((held.words for held in lists.values()), default=0)
    fit = [
        held
        for held in lists.values()
        if held.words >= _MOST_OF * most
        and held.paragraphs >= _LEAST_PARAGRAPHS
        and _is_rich_text(held.items)
    ]
    chosen = max(fit, key=lambda held: held.depth, default=None)
    if chosen and chosen.words * _MOST_OF > longest_words:
        return "\n".join(_write_items(texts, passages, chosen))
    return make_html(longest) if longest_words >= _LEAST_WORDS else ""


def _write_items(texts: list[_Text], passages: Passages, held: _Held) -> Iterator[str]:
    """The items of a list as HTML, what they have twice once."""
    items: dict[int, list[str]] = {}
    doubles = passages.find_doubles(held.first, held.end)
    for (text, around), is_double in zip(texts[held.first : held.end], doubles, strict=True):
        if not is_double:
            items.setdefault(around[held.depth][1], []).append(text)
    return (make_html(" ".join(item)) for item in items.values())


def _is_rich_text(items: list[Any]) -> bool:
    """Whether the items of a list are paragraphs, not teasers or reviews: each says its kind."""
    kinds = sum(
        isinstance(item, str) or (isinstance(item, dict) and not _KINDS.isdisjoint(item))
        for item in items
    )
    return kinds * 2 > len(items)


@dataclass(slots=True)
class _Held:
    """A list and the text in it."""

    items: list[Any]
    depth: int
    first: int
    """Number of its first text."""
    end: int = 0
    words: float = 0
    paragraphs: int = 0


_Around = tuple[tuple[list[Any], int], ...]
_Text = tuple[str, _Around]


def _walk_texts(value: Any) -> Iterator[_Text]:
    """Texts under keys that are for texts, in order.

    Each comes with the lists around it, from the outermost on, and its place in each.
    """
    stack: list[tuple[Any, str, _Around, int]] = [(value, "", (), 0)]
    room = _MOST_VALUES
    while stack and room:
        room -= 1
        if room % _OFTEN == 0:
            limits.check()
        value, key, around, depth = stack.pop()
        if isinstance(value, str):
            if not _TEXT_KEY.search(key) or (" " not in value and value.isascii()):
                continue
            if value.startswith(_JSON):
                stack.append((read_json(value), key, around, depth + 1))
            elif not _CODE.search(value):
                yield value, around
        elif depth < _MOST_DEPTH:
            if isinstance(value, dict):
                children = list(value.items())[:room]
                stack += ((child, name, around, depth + 1) for name, child in reversed(children))
            elif isinstance(value, list):
                stack += (
                    (value[place], key, (*around, (value, place)), depth + 1)
                    for place in range(min(room, len(value)) - 1, -1, -1)
                )


def _count_words(text: str) -> int:
    text = _TAG.sub(" ", text)
    words = len(text.split())
    if text.isascii():
        return words
    return words + len(_HAN.findall(text)) // HAN_WORD + len(_SEA.findall(text)) // SEA_WORD


_TIMES = 3  # words of the article per kept word
_MOST_SHOWN = 150  # words of the article that a shell shows: a summary, the beginning
_MOST_SHARE_SHOWN = 0.5


def read_article(page: Page, decision: Decision, options: Options) -> tuple[Page, Decision]:
    """Read the article in the data of a page, if what is visible is a shell without it."""
    article = find_hidden_article(page, decision.kept)
    if article is None:
        return page, decision
    head = _cut_head(page)
    page = read.parse(head + article.html, options)
    # The article says nothing of its title, authors and date; the head of the shell does.
    scores = (page.texts.start[page.blocks.first_text] >= len(head.encode())).astype(float)
    return page, Decision(scores, scores > 0, cut=1.0, embedded=article.source)


def find_hidden_article(page: Page, kept: Flags) -> Embedded | None:
    """Find the article in the data of a page that is a shell; None if it is not one."""
    if not (page.nodes.tag == SCRIPT).any():
        return None
    article = find_article(page)
    words = int(page.blocks.words[kept].sum())
    if article is None or article.words < _TIMES * words:
        return None
    return article if _is_shell(page, kept, article) else None


def _is_shell(page: Page, kept: Flags, article: Embedded) -> bool:
    """Whether a page shows little of an article, and little text beside."""
    visible = np.flatnonzero((page.blocks.flags & tags.HIDDEN == 0) | kept)
    words = (page.blocks.words - page.blocks.link_words)[visible].sum()
    if words >= article.words:
        return False
    shown = share_of_runs(article.html, "\n".join(page.block_texts(visible)))
    return shown <= _MOST_SHARE_SHOWN and shown * article.words <= _MOST_SHOWN


def _cut_head(page: Page) -> str:
    """The source of a page up to its body."""
    bodies = np.flatnonzero(page.nodes.tag == tags.ID["body"])
    end = int(page.nodes.start[bodies[0]]) if len(bodies) else 0
    return page.source[:end].decode("utf-8", "replace")
