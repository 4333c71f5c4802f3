"""Signals in words: what the features of a block say, as parts of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from tamis.methods._shared.verdicts import count_things
from tamis.model.features import element_hashes, spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import PlacedTokens, TokenTable, add_weights
from tamis.page import tags
from tamis.page.arrays import Floats, Matrix
from tamis.page.table import Page

_COLUMN = {name: column for column, name in enumerate(spec.NAMES)}
_LANDMARKS = "main article navigation header footer aside search form dialog control".split()
_AROUND = {
    "in_list": "list",
    "in_table": "table",
    "in_figure": "figure",
    "in_quote": "quotation",
    "in_pre": "preformatted part",
}
_COUNTED = {
    "images": "images",
    "controls": "buttons and fields",
    "items": "list items",
    "headings": "headings",
    "sections": "sections",
}
_NAMED = ("class", "id", "role", "itemprop")

# Weight in log odds from which on a name is mentioned.
_LEAST_WEIGHT = 0.1
# Names of an element that are compared, and letters of a name that are shown.
_MOST_NAMES = 50
_MOST_LETTERS = 40


class HeaviestNames:
    """The class names, ids, roles and tags that weigh most on the path to each block."""

    def __init__(self, batch: Batch, of_tokens: Floats, of_tags: Floats) -> None:
        self._page = batch.pages[0]
        self._tree = PlacedTokens.from_batch(batch)
        self._of_tokens = of_tokens
        self._of_tags = of_tags
        # The best of each element, near and far; the tokens of an element are neighbours.
        best = of_tags.copy()
        node, self._token = self._tree.names.tokens
        self._token_node = node
        starts = np.flatnonzero(np.diff(node, prepend=-1))
        if len(starts):
            at = node[starts]
            best[at] = np.maximum(best[at], np.maximum.reduceat(of_tokens, starts, axis=0))
        self._near, self._far = best.T.tolist()
        self._parent: list[int] = self._page.nodes.parent.tolist()
        self._best_above = {-1: -1}
        self._phrases: dict[int, str] = {}
        self._named: dict[tuple[int, int], str] = {}

    def describe_path(self, node: int) -> str:
        """Describe the name that weighs most on the path to an element, empty if none does."""
        if node not in self._phrases:
            self._phrases[node] = self._write_phrase(node)
        return self._phrases[node]

    def _write_phrase(self, node: int) -> str:
        stop = int(self._tree.up[node]) if self._tree.level[node] > 0 else -1
        own = best = node
        while self._parent[node] not in (stop, -1):
            node = self._parent[node]
            best = node if self._near[node] > self._near[best] else best
        above = self._find_heaviest_above(stop)
        far = 1 if above >= 0 and self._far[above] > self._near[best] else 0
        best = above if far else best
        if (self._far if far else self._near)[best] <= _LEAST_WEIGHT:
            return ""
        if (best, far) not in self._named:
            self._named[best, far] = self._find_name(best, far)
        name = self._named[best, far]
        return f"its {name}" if best == own else f"{name} on the path to it"

    def _find_heaviest_above(self, node: int) -> int:
        """Find the element with the heaviest far name, from this one up to the root."""
        path = []
        while node not in self._best_above:
            path.append(node)
            node = self._parent[node]
        best = self._best_above[node]
        for node in reversed(path):
            best = node if best < 0 or self._far[node] > self._far[best] else best
            self._best_above[node] = best
        return best

    def _find_name(self, node: int, far: int) -> str:
        """Find the heaviest name of an element."""
        # Of the type of the column, or numpy would convert all of it.
        ends = np.array((node, node + 1), np.intc)
        first, end = np.searchsorted(self._token_node, ends).tolist()
        if first < end:
            best = first + int(np.argmax(self._of_tokens[first:end, far]))
            if self._of_tokens[best, far] > self._of_tags[node, far]:
                return self._find_name_with(node, int(self._token[best]))
        return f"tag “{self._page.tag_name(node)[:_MOST_LETTERS]}”"

    def _find_name_with(self, node: int, token: int) -> str:
        for kind in _NAMED:
            for name in (self._page.attribute(node, kind) or "").split()[:_MOST_NAMES]:
                raw = name.encode("utf-8", "replace")
                row = np.array([[tags.ATTRIBUTE_ID[kind]], [0], [len(raw)]], np.intc)
                if token in element_hashes.read_tokens(raw, np.zeros(1, np.intc), row)[1].tolist():
                    return f"{'class name' if kind == 'class' else kind} “{name[:_MOST_LETTERS]}”"
        return "name"


class BlockPhrases:
    """What the features of the blocks of a page say, one method for each family."""

    def __init__(self, batch: Batch, features: Matrix, neutral: Matrix, tokens: TokenTable) -> None:
        self.batch = batch
        self.page: Page = batch.pages[0]
        self._features = features
        self._neutral: list[float] = neutral.tolist()
        self._tokens = tokens
        self._row: tuple[int, list[float]] = (-1, [])

    def read_value(self, block: int, name: str) -> float:
        # From a plain list: reading one number of a numpy array takes three times as long.
        if self._row[0] != block:
            self._row = block, self._features[block].tolist()
        return self._row[1][_COLUMN[name]]

    @cached_property
    def names(self) -> dict[int, HeaviestNames]:
        """The names that speak for blocks (1), and the names that speak against them (-1)."""
        token = self.batch.paths.names.tokens[1]
        weights = np.zeros((len(token), 2))
        places = np.arange(len(token), dtype=np.intc)
        add_weights(places, token, self._tokens.keys, self._tokens.weights, weights)
        of_tags = self._tokens.of_tags[self.batch.tag]
        return {sign: HeaviestNames(self.batch, sign * weights, sign * of_tags) for sign in (1, -1)}

    def write_phrase(self, family: str, block: int, effect: float) -> str:
        """Write a signal; `effect` says whether it spoke for the block or against it."""
        if family in _COUNTED:
            return self._describe_elements_around(block, family)
        words: str = getattr(self, f"_describe_{family}")(block, effect)
        return words

    def _describe_elements_around(self, block: int, kind: str) -> str:
        columns = [f"ancestor{level}.{kind}_per_block" for level in (1, 2, 3)]
        own = max(self.read_value(block, name) for name in columns)
        many = own > max(self._neutral[_COLUMN[name]] for name in columns)
        return f"{'many' if many else 'few' if own else 'no'} {_COUNTED[kind]} around it"

    def _describe_links(self, block: int, effect: float) -> str:
        own = self.read_value(block, "link_density")
        around = max(
            self.read_value(block, "ancestor1.link_density"),
            self.read_value(block, "window3.link_density"),
        )
        if own >= 0.5:
            return f"{own:.0%} of its words are links"
        if effect < 0 and around >= 0.2:
            return f"{around:.0%} of the words around it are links"
        if effect < 0:
            return "links in it or in the parts of the page around it"
        return f"few links: {own:.0%} of its words, {around:.0%} of those around it"

    def _describe_text(self, block: int, effect: float) -> str:
        count = int(self.read_value(block, "words"))
        marks = self.read_value(block, "punctuation_per_word") * count
        text = f"{count_things(count, 'word')} and {count_things(round(marks), 'punctuation mark')}"
        only = "only " if effect <= 0 and count < 10 else ""
        return f"its own text: {only}{text}"

    def _describe_element(self, block: int, effect: float) -> str:
        tag = self.page.tag_name(int(self.page.blocks.node[block]))
        around = [name for flag, name in _AROUND.items() if self.read_value(block, flag)]
        return f"its element is {tag[:_MOST_LETTERS]}{''.join(f', in a {name}' for name in around)}"

    def _describe_hidden(self, block: int, effect: float) -> str:
        if self.read_value(block, "hidden"):
            return "a browser does not show it"
        return (
            "it is aria-hidden" if self.read_value(block, "aria_hidden") else "a browser shows it"
        )

    def _describe_landmarks(self, block: int, effect: float) -> str:
        around = [name for name in _LANDMARKS if self.read_value(block, f"in_{name}")]
        if around:
            return f"it is inside {' and '.join(around)}"
        return "no landmark such as main or navigation is around it"

    def _describe_position(self, block: int, effect: float) -> str:
        before = self.read_value(block, "word_position")
        where = "start" if before < 1 / 3 else "middle" if before < 2 / 3 else "end"
        return f"it stands at the {where} of the page, {before:.0%} of the words come before it"

    def _describe_h1(self, block: int, effect: float) -> str:
        since = int(self.read_value(block, "h1.blocks_since"))
        if since == -999:
            return "the page has no h1"
        if not since:
            return "it is the first h1 of the page"
        side = "before" if since < 0 else "after"
        return f"it comes {count_things(abs(since), 'block')} {side} the h1"

    def _describe_heading(self, block: int, effect: float) -> str:
        since, section = (
            int(self.read_value(block, "heading.blocks_since")),
            self.read_value(block, "section.words"),
        )
        if since < 0:
            return "no heading comes before it"
        below = f"it comes {count_things(since, 'block')} after a heading"
        where = below if since else "it is a heading"
        return f"{where}, in a section of {count_things(int(section), 'word')}"

    def _describe_surroundings(self, block: int, effect: float) -> str:
        mean = self.read_value(block, "window3.words")
        if mean >= 20:
            return f"it stands among long blocks, {mean:.0f} words on average"
        if mean < 8:
            return f"it stands among short blocks, {count_things(round(mean), 'word')} on average"
        return f"it stands among blocks of {mean:.0f} words on average"

    def _describe_share(self, block: int, effect: float) -> str:
        share = self.read_value(block, "ancestor1.share")
        return f"the element around it holds {share:.0%} of the words of the page"

    def _describe_container(self, block: int, effect: float) -> str:
        if self.read_value(block, "container.inside"):
            return "it is inside the element that collects most text"
        side = self.read_value(block, "container.side")
        where = "before" if side < 0 else "after" if side > 0 else "around"
        return f"it is {where} the element that collects most text"

    def _describe_repetition(self, block: int, effect: float) -> str:
        siblings, same = (
            int(self.read_value(block, "siblings")),
            int(self.read_value(block, "same_way.blocks")),
        )
        if siblings > 2:
            return f"it is in one of {siblings} elements side by side that are built the same"
        if same > 1:
            share = self.read_value(block, "same_way.share")
            return f"the {same} blocks at its place in the structure hold {share:.0%} of all words"
        return "no other block has its place in the structure"

    def _describe_title(self, block: int, effect: float) -> str:
        share, cover = self.read_value(block, "title.share"), self.read_value(block, "title.cover")
        if share >= 0.7 and cover >= 0.3:
            return "it repeats the title of the page"
        return (
            f"{share:.0%} of its words are in the title"
            if share
            else "no word of it is in the title"
        )

    def _describe_declared(self, block: int, effect: float) -> str:
        for kind, name in (("description", "description"), ("data", "structured data")):
            if self.read_value(block, f"{kind}.share") >= 0.3:
                return f"the page's {name} says the same"
        return "the page's description and structured data do not say it"

    def _describe_duplicates(self, block: int, effect: float) -> str:
        times = int(self.read_value(block, "duplicates"))
        return (
            f"the page says the same {times} times" if times > 1 else "the page says it only once"
        )

    def _describe_names(self, block: int, effect: float) -> str:
        name = self.names[1 if effect > 0 else -1].describe_path(int(self.page.blocks.node[block]))
        return name or f"no name of an element speaks {'against' if effect > 0 else 'for'} it"


def list_facts(page: Page) -> Iterator[str]:
    """List what is known about each block without a model."""
    blocks = page.blocks
    for count, linked in zip(blocks.words.tolist(), blocks.link_words.tolist(), strict=True):
        yield f"{count_things(count, 'word')}, {linked / max(count, 1):.0%} of them in links"
