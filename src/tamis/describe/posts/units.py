"""The units of a thread side by side: the texts of each, and what is at the same place in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tamis.describe.posts.clues import UNSEEN, Clues
from tamis.describe.posts.families import PostUnit, columns_of, texts_of
from tamis.describe.posts.passes import AROUND, NEAREST, NamedElements
from tamis.page import hashes
from tamis.page.arrays import Flags, Ints
from tamis.page.table import Page

# Shares of the units in which a text is a button or the like, and in which it is a label.
_MANY, _MOST = 0.3, 0.6
_FEWEST = 3
# Times that a name must be on the page, as a share of the number of units.
_COMMON = 0.2


class PostUnits:
    """The units of a thread, with the texts that are their own.

    A place in a unit is the number of a text; of an element without text, such as a date that
    scripts show, it is the complement of its number.
    """

    def __init__(self, page: Page, clues: Clues, units: Sequence[PostUnit]) -> None:
        self.page, self.clues, self.units = page, clues, units
        self.parent: list[int] = page.nodes.parent.tolist()
        self.tag: list[int] = page.nodes.tag.tolist()
        self.node: list[int] = page.texts.node.tolist()
        self.words: list[int] = page.texts.words.tolist()
        self.flags: list[int] = page.texts.flags.tolist()
        self.kinds: list[int] = clues.kinds.tolist()
        self._chains: dict[int, list[int]] = {}
        low, high = texts_of(page, *columns_of(units))
        self.ranges: list[tuple[int, int]] = list(zip(low.tolist(), high.tolist(), strict=True))
        # Whose text each is: of units inside each other the inner one's.
        self.owner = np.full(len(page.texts), -1, np.int64)
        self.depth: list[int] = []
        for number, (first, end) in enumerate(self.ranges):
            around = int(self.owner[first]) if first < len(self.owner) else -1
            self.depth.append(self.depth[around] + 1 if around >= 0 else 0)
            self.owner[first:end] = number
        self.own = self._own()
        """The texts of each unit that are shown."""
        self.texts = np.array([text for own in self.own for text in own], np.intc)
        """All of these."""
        counts = np.array(list(map(len, self.own)))
        self.number = np.repeat(np.arange(len(units), dtype=np.intc), counts)
        """The number of the unit of each of these."""
        self._begin = np.append(0, np.cumsum(counts))
        self.first = columns_of(units)[0]
        self.elements = NamedElements(page, clues)
        self.contents = {text: page.text(text) for own in self.own for text in own}
        self.dated = clues.dated | {~node: date for node, date in clues.moments.items()}
        """The date at each place that has one."""

    def __len__(self) -> int:
        return len(self.units)

    def _own(self) -> list[list[int]]:
        own: list[list[int]] = [[] for _ in self.units]
        for text in np.flatnonzero(self.owner >= 0).tolist():
            if not self.flags[text] & UNSEEN:
                own[self.owner[text]].append(text)
        # What stands before the first unit inside is the post, what follows belongs to the page.
        for number in range(len(own) - 1):
            inner = self.ranges[number + 1][0]
            if own[number] and own[number][0] < inner < self.ranges[number][1]:
                own[number] = [text for text in own[number] if text < inner]
        return own

    @cached_property
    def moments(self) -> list[list[int]]:
        """The places of each unit that are elements without text, with a date."""
        first = self.page.nodes.first_text
        moments: list[list[int]] = [[] for _ in self.units]
        for node in self.clues.moments:
            for text in (int(first[node]), int(first[node]) - 1):
                number = int(self.owner[text]) if 0 <= text < len(self.owner) else -1
                if number >= 0 and self.units[number].first <= node < self.units[number].end:
                    moments[number].append(~node)
                    break
        return moments

    @cached_property
    def _counts(self) -> Counter[str]:
        """In how many units each text stands."""
        return Counter(
            content for own in self.own for content in {self.contents[text] for text in own}
        )

    @cached_property
    def template(self) -> set[str]:
        """What is written in many units: buttons and the like."""
        least = max(_FEWEST, _MANY * len(self))
        return {text for text, count in self._counts.items() if count >= least}

    @cached_property
    def labels(self) -> set[str]:
        """What is written in most units."""
        least = max(_FEWEST, _MOST * len(self))
        return {text for text, count in self._counts.items() if count >= least}

    @cached_property
    def in_template(self) -> Flags:
        """Whether each of `texts` is written in many units."""
        return np.array([self.contents[text] in self.template for text in self.texts.tolist()])

    def rows(self, number: int) -> slice:
        """Where the texts of a unit are in `texts`."""
        return slice(self._begin[number], self._begin[number + 1])

    def around(self, chosen: Flags) -> Ints:
        """The nearest of the chosen elements around each of `texts` in its unit, -1 if none is."""
        node, first = self.page.texts.node[self.texts], self.first[self.number]
        return self.elements.around(node, first, chosen.view(np.uint8))

    # Places

    def node_at(self, place: int) -> int:
        """The element at a place."""
        return self.node[place] if place >= 0 else ~place

    def chain(self, place: int, number: int) -> list[int]:
        """The elements around a place inside its unit, the nearest first."""
        chain = self._chains.get(place)
        if chain is None:
            node, first, parent = self.node_at(place), self.units[number].first, self.parent
            chain = self._chains[place] = [node]
            while len(chain) < AROUND and (node := parent[node]) >= first:
                chain.append(node)
        return chain

    @cached_property
    def signatures(self) -> hashes.Hashes:
        """Tag and names of each element; with those of the one around if it has no name."""
        clues, nodes = self.clues, self.page.nodes
        common = self._is_common[clues.name]
        own = hashes.mixed(nodes.tag, 0)
        named = np.zeros(len(nodes), bool)
        named[clues.name_node[common]] = True
        np.add.at(own, clues.name_node[common], hashes.mixed(clues.name[common], 1))
        with_above = hashes.mixed(own[1:], own[nodes.parent[1:]])
        return np.append(own[:1], np.where(named[1:], own[1:], with_above))

    def signature(self, node: int) -> str:
        """What the signature of an element stands for."""
        made = self._named(node)
        return made if " " in made or not node else f"{made} in {self._named(self.parent[node])}"

    def _named(self, node: int) -> str:
        rows = slice(self.clues.first_name[node], self.clues.first_name[node + 1])
        names = [name for name in self.clues.name[rows].tolist() if self._is_common[name]]
        known = b" ".join(self.clues.all_names[name] for name in names)
        return f"{self.tag[node]} {known.decode('utf-8', 'replace')}".rstrip()

    @cached_property
    def _is_common(self) -> Flags:
        """Whether each name may repeat from unit to unit, and is not that of a post or author."""
        counts = np.bincount(self.clues.name, minlength=len(self.clues.all_names))
        common: Flags = counts >= max(2, _COMMON * len(self))
        return common

    def role(self, place: int, number: int) -> int:
        """What the same places of other units share."""
        if place >= 0:
            return self._roles[place]
        return self._roles_of(np.array([~place], np.intc), self.first[number : number + 1])[0]

    @cached_property
    def _roles(self) -> dict[int, int]:
        node, first = self.page.texts.node[self.texts], self.first[self.number]
        return dict(zip(self.texts.tolist(), self._roles_of(node, first), strict=True))

    def _roles_of(self, node: Ints, first: Ints) -> list[int]:
        made: list[int] = self.elements.roles(node, first, self.signatures).tolist()
        return made

    def names_at(self, place: int) -> set[str]:
        """The names of the nearest element around a place that has any."""
        node = self.node_at(place)
        for _ in range(NEAREST):
            if names := self.clues.names(node):
                return set(names)
            node = max(self.parent[node], 0)
        return set(self.clues.names(node) or [str(self.tag[node])])
