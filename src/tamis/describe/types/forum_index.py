"""A forum's index of topics: rows that repeat, each with a topic, counts and who wrote last.

phpBB, vBulletin, XenForo, Discourse, SMF, MyBB, Flarum and Discuz write one row per topic: a link
whose text is the title, one or two whole numbers (replies, views), and the author or the last
poster with a date. A thread has rows of that kind too: its posts, with a permalink, the number of
posts of each author and a date. But the links of a post are names, buttons and dates, all posts
have the same title, and most of a post is plain text. Similar threads below a thread are
rows of topics, but few of the words of the page.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Indexes
from tamis.page.table import Page

FEWEST = 5
"""Rows of an index; similar threads below a thread are often as many."""

# Share of the rows that have a title, or a title or an address that no other row has.
_MOST = 0.8
# Words of a title on average, and its share of the words of its row: the description of a forum and
# the last post stand beside.
_TITLE_WORDS, _TITLE_SHARE = 1.8, 0.15
# Words outside of links in a row, the median: author, dates, labels, an excerpt or description.
_MOST_PLAIN = 40
# Words outside of links and rows, for each word in the rows: a thread above its similar threads.
_MOST_OUTSIDE = 0.6
# Links of a row that may be its title, and characters of one.
_MOST_LINKS, _SHORTEST_TITLE = 10, 3
# Bytes of a text that may be a count, and of the source of a group of rows that is searched.
_LONGEST_COUNT, _SEARCHED = 40, 50_000

_COUNT = re.compile(r"\(?(?:[^\W\d]+:?\s*)?\d[\d.,']*[kKmM]?[)+]?(?:\s+[^\W\d]+)?")
_LETTERS = re.compile(r"[^\W\d_]")
# What counts are called, in texts and in classes: replies and views, or topics and posts.
_LABELS = re.compile(
    r"replies|repl(?:y|ie)-?count|answers|num-?posts|topics|threads|posts|antworten|beitr|themen"
    r"|r[ée]ponses|messages|sujets|respuestas|temas|mensajes|respostas|t[óo]picos|risposte"
    r"|discussioni|reacties|onderwerpen|berichten|svar|tr[åa]dar|indl[æa]g|vastauks|odpowiedzi"
    r"|tematy|odpov|vl[áa]kna|v[áa]lasz|r[ăa]spunsuri|απαντ|ответ|тем[ыа]|відповід|cevap|yan[ıi]t"
    r"|konular|balasan|tr[ảa] l[ờo]i|ตอบ|回复|回覆|回帖|返信|답글|댓글|ردود|תגובות|उत्तर",
    re.IGNORECASE,
)
_VIEWS = re.compile(
    r"views|hits|voices|freshness|last-?\s?(?:post|reply|message|active|activity)|activity|zugriffe|aufrufe|ansichten"
    r"|letzter|vues|affichages|dernier|visitas|vistas|[úu]ltim|exibi|visualiz|weergaven|laatste"
    r"|visningar|visninger|senaste|siste|katselu|viimeisin|wy[śs]wietl|odsłon|ostatni|zobrazen"
    r"|posledn|megtekint|utols|vizualiz|προβολ|просмотр|последн|перегляд|останн|g[öo]r[üu]nt"
    r"|son mesaj|dilihat|l[ượu]+t xem|อ่าน|ล่าสุด|查看|浏览|瀏覽|最后|最後|閲覧|最新"
    r"|조회|مشاهد|צפיות|दृश्य",
    re.IGNORECASE,
)


def has_named_counts(page: Page, rows: Indexes) -> bool:
    """Whether the counts in these rows of topics have names: replies, views, last post."""
    # From what stands before the first row, such as the head of the table, to the third row.
    nodes = page.nodes
    above = int(nodes.parent[nodes.parent[rows[0]]])
    start = int(nodes.start[max(above, 0)])
    end = min(int(nodes.close[rows[2]]), start + _SEARCHED)
    source = page.source[start:end].decode("utf-8", "replace")
    return bool(_LABELS.search(source) and _VIEWS.search(source))


def find_rows(page: Page) -> Indexes | None:
    """The rows of topics that hold most words, if the page is an index; else None."""
    nodes, texts = page.nodes, page.texts
    seen = texts.flags & (tags.HIDDEN | tags.IN_CONTROL) == 0
    words = np.where(seen, texts.words, 0)
    plain = np.where(texts.flags & tags.IN_LINK == 0, words, 0)
    counts = _find_counts(page, seen)
    if int(counts.sum()) < FEWEST:
        return None
    titles = _find_worded_links(page)
    of_node = page.sums_below(words).astype(np.int64)
    plain_of_node = page.sums_below(plain).astype(np.int64)
    titled = np.append(0, np.cumsum(np.bincount(titles, minlength=len(nodes))))
    has_title = titled[nodes.last + 1] > titled[:-1]
    has_count = page.sums_below(counts.astype(np.int64)).astype(np.int64) > 0
    chosen = np.flatnonzero(has_title & has_count)
    best, most = None, 0
    for group in _group_siblings(page, chosen):
        held = int(of_node[group].sum())
        if held > most and _are_topics(page, group, titles, of_node, plain_of_node):
            best, most = group, held
    if best is None:
        return None
    outside = int(plain.sum() - plain_of_node[best].sum())
    return best if outside <= _MOST_OUTSIDE * most else None


def _group_siblings(page: Page, chosen: Indexes) -> list[Indexes]:
    """Groups of enough elements with the same parent and tag, each in document order."""
    nodes = page.nodes
    keys = nodes.parent[chosen].astype(np.int64) << 32 | nodes.tag[chosen]
    order = np.argsort(keys, kind="stable")
    edges = np.flatnonzero(np.diff(keys[order], prepend=-1, append=-1))
    pairs = pairwise(edges.tolist())
    return [chosen[order[first:end]] for first, end in pairs if end - first >= FEWEST]


def _find_worded_links(page: Page) -> Indexes:
    """The links with letters; of a date a third or more is digits."""
    nodes, texts = page.nodes, page.texts
    links = np.flatnonzero(nodes.flags & tags.IS_LINK != 0)
    chars = page.sums_below(texts.chars)[links].astype(np.int64)
    digits = page.sums_below(texts.digits)[links].astype(np.int64)
    worded: Indexes = links[(chars >= _SHORTEST_TITLE) & (3 * digits < chars)]
    return worded


def _leads_on(page: Page, link: int) -> bool:
    """Whether a link leads to another place than a part of a page."""
    href = (page.attribute(link, "href") or "").strip().lower()
    return bool(href) and "#" not in href and not href.startswith(("javascript:", "mailto:"))


def _find_counts(page: Page, seen: Flags) -> Flags:
    """The texts that are a whole number, perhaps with one word beside it."""
    texts = page.texts
    short = seen & (texts.digits > 0) & (texts.end - texts.start <= _LONGEST_COUNT)
    places = np.flatnonzero(short)
    counts = np.zeros(len(texts), bool)
    for text in limits.check_each(places.tolist(), 100):
        if _COUNT.fullmatch(page.text(text).strip()):
            counts[text] = True
    return counts


def _are_topics(
    page: Page,
    rows: Indexes,
    titles: Indexes,
    words: npt.NDArray[np.int64],
    plain: npt.NDArray[np.int64],
) -> bool:
    """Whether these rows are topics: by the longest link of each, and by what is beside it."""
    if np.median(plain[rows]) > _MOST_PLAIN:
        return False
    nodes = page.nodes
    first = np.searchsorted(titles, rows)
    end = np.searchsorted(titles, nodes.last[rows], side="right")
    chosen = []
    for low, high in limits.check_each(zip(first.tolist(), end.tolist(), strict=True), 100):
        inside = titles[low : min(high, low + _MOST_LINKS)].tolist()
        leading = [link for link in inside if _leads_on(page, link)]
        if leading:
            chosen.append(max(leading, key=words.__getitem__))
    if len(chosen) < _MOST * len(rows):
        return False
    texts = {page.node_text(link).strip().casefold() for link in chosen}
    addresses = {page.attribute(link, "href") for link in chosen}
    of_titles = int(words[chosen].sum())
    return (
        min(len(texts), len(addresses)) >= _MOST * len(rows)
        and of_titles >= _TITLE_WORDS * len(rows)
        and of_titles >= _TITLE_SHARE * int(words[rows].sum())
        and all(_LETTERS.search(text) for text in texts)
    )
