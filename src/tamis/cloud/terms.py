"""The words of one or more texts, weighed.

A term is a word, or two that are neighbours more often than by chance, measured by normalised
pointwise mutual information (Bouma 2009), or the pieces of a Thai name. Spellings and inflected
forms of a word are one term, shown as the commonest of them. The weight is

- for one text: the frequency; if its blocks come with their scores, each word counts by the score
  of its block, so that likely boilerplate weighs less, and a block that repeats, numbers aside,
  counts once: it is a label;
- for several texts: log(1 + count) times log(1 + texts / texts with the term), summed over the
  texts: neither what one text repeats nor what every text says outweighs all else;
- if there are texts to distinguish them from: the log-odds with an informative Dirichlet prior
  (Monroe, Colaresi, Quinn 2008); terms that are not more frequent here than there are left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile

import numpy as np

from tamis._runtime import limits
from tamis.cloud.segment import split_phrases
from tamis.cloud.thai import REACH, find_pieces
from tamis.cloud.vocabulary import (
    HANGUL,
    LANGUAGES,
    SPACELESS,
    UNSPACED,
    find_bases,
    is_stopword,
    likely_language,
    normalize_word,
    strip_affixes,
)
from tamis.page.arrays import Flags, Floats, Longs

_LONGEST_TEXT = 2_000_000  # characters of a text that are read, some 300,000 words
_LONGEST_WORD = 40  # characters; what is longer is data
_LEAST_PAIRS = 3  # times that two words must be neighbours
_LEAST_NAMES = 2  # the same for the pieces of a name
_LEAST_INFORMATION = 0.6  # mutual information from which on two words are one term
# The same in scripts without spaces: a dictionary knows compound words, but cuts names to pieces,
# which then always occur together. Of the 22 pairs that this joins on eight pages in Thai, Chinese,
# Japanese and Burmese six are no more than phrases.
_LEAST_UNSPACED = 0.8
# Power of a block's score by which its words count. On 140 pages of wcxb-dev, by weights that did
# not see their sites, 0, 1, 2, 4 leave 6.2, 5.1, 4.4, 4.2% of boilerplate words among the 30
# heaviest terms, and find 75, 71, 70, 67% of those of the gold text.
_TRUST = 2
_LEAST_SCORE = 0.1  # a block may be kept because the caller wants it, whatever its score
_PRIOR = 500.0  # words that the prior of the log-odds counts for
_DIGITS = re.compile(r"\d+")
_THAI = re.compile(f"[{SPACELESS['Thai']}]")
# Numbers with the ending of an ordinal or with a Chinese measure word; two hiragana are mostly a
# piece of an ending that ICU cut off.
_NO_TERM = re.compile(
    r"[\W\d_]+$|\d+(?:st|nd|rd|th|s|e|er|ème|º|ª|년|월|일)$|[\u3041-\u309f]{2}$"
    "|[〇一二两兩三四五六七八九十百千万萬亿億几幾第]+[个個只隻块塊页頁条條张張本次种種位名年月日天号號分秒点點岁歲元米]?$"
)
_SAME = {
    "no": "nb", "nn": "nb", "iw": "he", "in": "id", "ms": "id", "bs": "hr", "sr": "hr", "fil": "tl"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a cloud."""

    term: str
    """As the texts write it most often."""
    weight: float
    """From 0 to 1; the heaviest term has 1."""
    count: int
    """How often it is in the texts, in all its forms."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text by its blocks, and in which language it is."""

    blocks: Sequence[tuple[str, float]]
    """Each with the score that says how surely it is content."""
    language: str = ""
    """A BCP 47 tag."""

    @property
    def plain(self) -> str:
        """One line per block."""
        return "\n".join(block for block, _ in self.blocks)


def weigh_terms(
    texts: Sequence[Text | str],
    *,
    language: str = "",
    most: int = 80,
    against: Sequence[Text | str] = (),
) -> list[Term]:
    """The heaviest terms of texts, the heaviest first; of equals the one that came first.

    `language` is for the texts that do not name theirs. It decides about stop words and endings,
    text by text; where it is not known, it follows from the stop words. `against` are the texts to
    distinguish these from. Of a text the first 2,000,000 characters are read.

    >>> found = weigh_terms(["Sieves and a sieve. A cook has two sieves."])
    >>> [(term.term, term.count) for term in found]
    [('sieves', 3), ('cook', 1)]
    """
    tokens = _Tokens((*texts, *against), language)
    names, token_terms = _join_terms(tokens, *_group_forms(tokens))
    here = (tokens.text < len(texts)) & (token_terms >= 0)
    there = (tokens.text >= len(texts)) & (token_terms >= 0)
    counts = np.bincount(token_terms[here], minlength=len(names))
    trusted = _sum_by(token_terms[here], tokens.trust[here], len(names))
    if there.any():
        weights = _log_odds(trusted, _sum_by(token_terms[there], tokens.trust[there], len(names)))
    elif len(texts) > 1:
        weights = _weigh_spread(
            token_terms[here], tokens.text[here], tokens.trust[here], len(names)
        )
    else:
        weights = trusted
    weights[counts == 0] = 0
    # Terms are numbered in the order of their first occurrence.
    order = np.argsort(-weights, kind="stable")[:most]
    order = order[weights[order] > 0]
    return [
        Term(names[term], float(weights[term] / weights[order[0]]), int(counts[term]))
        for term in order.tolist()
    ]


class _Tokens:
    """The words of all texts, as columns: one row per word, and one more after each phrase."""

    def __init__(self, texts: Sequence[Text | str], language: str) -> None:
        next_number = count().__next__
        vocabularies: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(next_number))
        texts_in: Counter[str] = Counter()
        words: list[int] = []
        blocks: list[tuple[int, int, float]] = []
        for number, text in enumerate(texts):
            declared = (language if isinstance(text, str) else text.language) or language
            passages, trusts = _list_passages(text)
            passage_phrases = split_phrases(passages, declared)
            text_words = list(chain.from_iterable(chain.from_iterable(passage_phrases)))
            of_text = likely_language(text_words, _find_language(declared))
            texts_in[of_text] += 1
            for trust, passage in limits.check_each(zip(trusts, passage_phrases, strict=True)):
                first = len(words)
                numbers = vocabularies[likely_language([*chain.from_iterable(passage)], of_text)]
                for phrase in limits.check_each(passage):
                    words += [numbers[word] for word in phrase]
                    words.append(-1)
                blocks.append((len(words) - first, number, trust))
        sizes, text_of, trust_of = zip(*blocks, strict=True) if blocks else ((), (), ())
        # A text whose language is not known is most likely in that of the others.
        commonest = max(texts_in, key=lambda tag: (tag != "", texts_in[tag]), default="")
        self.words = [
            (word, tag or commonest)
            for _, word, tag in sorted(
                (number, word, tag)
                for tag, numbers in vocabularies.items()
                for word, number in numbers.items()
            )
        ]
        """In the order of the first occurrence, each once per language, with that language."""
        self.word: Longs = np.array(words, np.int64)
        """Number of the word in `words`; -1 between phrases."""
        self.text: Longs = np.repeat(np.array(text_of, np.int64), np.array(sizes, np.int64))
        self.trust: Floats = np.repeat(np.array(trust_of), np.array(sizes, np.int64))
        """By how much the word counts."""
        self.counts: Longs = np.bincount(self.word[self.word >= 0], minlength=len(self.words))


def _find_language(language: str) -> str:
    """The language of a tag if there are stop words of it, else nothing."""
    primary = re.split("[-_]", language.lower(), maxsplit=1)[0]
    primary = _SAME.get(primary, primary)
    return primary if primary in LANGUAGES else ""


def _list_passages(text: Text | str) -> tuple[list[str], list[float]]:
    """The blocks of a text and by how much each counts, up to the longest text that is read."""
    if isinstance(text, str):
        return [text[:_LONGEST_TEXT]], [1.0]
    passages: list[str] = []
    trust: list[float] = []
    seen: set[str] = set()
    left = _LONGEST_TEXT
    for passage, score in limits.check_each(text.blocks):
        passages.append(passage[:left])
        left -= len(passages[-1])
        pattern = _DIGITS.sub("0", passages[-1])
        trust.append(0.0 if pattern in seen else max(score, _LEAST_SCORE) ** _TRUST)
        seen.add(pattern)
        if not left:
            break
    return passages, trust


def _group_forms(tokens: _Tokens) -> tuple[list[str], Longs]:
    """How each group of forms is written, and the group of each token, -1 for none."""
    follows = tokens.word[1:][tokens.word[:-1] >= 0]
    inside = (np.bincount(follows[follows >= 0], minlength=len(tokens.words)) > 0).tolist()
    keys: list[str] = []
    spellings: dict[str, dict[str, int]] = {}
    keys_in: dict[str, dict[str, None]] = {}
    names = set()
    for (word, language), times, within in limits.check_each(
        zip(tokens.words, tokens.counts.tolist(), inside, strict=True)
    ):
        written = strip_affixes(word, language)
        name = normalize_word(written, language)
        if _is_term(name) and not is_stopword(name, written, language):
            forms = spellings.setdefault(name, {})
            forms[written] = forms.get(written, 0) + times
            keys_in.setdefault(language, {})[name] = None
            if within and written[0].isupper():
                names.add(name)
        else:
            name = ""
        keys.append(name)
    written_as = {name: _choose_spelling(forms) for name, forms in spellings.items()}
    names = {name for name in names if written_as[name][0].isupper()}
    base_of: dict[str, str] = {}
    for language, language_keys in keys_in.items():
        base_of |= find_bases(language_keys.keys(), names, language)
    groups: dict[str, list[str]] = {}
    for name in spellings:
        groups.setdefault(_find_root(name, base_of), []).append(name)
    numbers = {name: number for number, forms in enumerate(groups.values()) for name in forms}
    group_of = [numbers.get(name, -1) for name in keys]
    best = [_write_group(forms, spellings, written_as) for forms in groups.values()]
    return best, np.array([*group_of, -1], np.int64)[tokens.word]


def _write_group(
    forms: list[str], spellings: dict[str, dict[str, int]], written_as: dict[str, str]
) -> str:
    """How a group is written: as the commonest form, in Korean without the particles."""
    if len(forms) > 1 and HANGUL.match(forms[0]):
        letters = zip(min(forms), max(forms), strict=False)
        return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return written_as[max(forms, key=lambda form: sum(spellings[form].values()))]


def _choose_spelling(forms: dict[str, int]) -> str:
    """The commonest form; of equals one in lower case, as a sentence may have made the capital."""
    return max(forms, key=lambda form: (forms[form], form.islower()))


def _find_root(name: str, base_of: dict[str, str]) -> str:
    """The base of the base, if there is one; bases get shorter, so there is an end."""
    while name in base_of:
        name = base_of[name]
    return name


def _is_term(word: str) -> bool:
    """Whether a key may be a term: no number, no single letter, no data."""
    return 1 < len(word) <= _LONGEST_WORD and not _NO_TERM.match(word) and not word.isnumeric()


def _join_terms(tokens: _Tokens, names: list[str], group: Longs) -> tuple[list[str], Longs]:
    """Terms: groups, pairs of them and names; and the term of each token, -1 for none."""
    if len(group) < 2 or not names:
        return names, group
    unspaced = np.array([UNSPACED.match(name) is not None for name in names])
    left, right = group[:-1], group[1:]
    pairs = left * len(names) + right
    pairs[(left < 0) | (right < 0) | (left == right) | (unspaced[left] != unspaced[right])] = -1
    distinct, counts = np.unique(pairs, return_counts=True)
    often = (distinct >= 0) & (counts >= _LEAST_NAMES)
    distinct, counts = distinct[often], counts[often]
    total = int((group >= 0).sum())
    single = np.bincount(group[group >= 0], minlength=len(names)) / total
    chance = single[distinct // len(names)] * single[distinct % len(names)]
    together = counts / total
    information = np.log(together / chance) / -np.log(np.minimum(together, 1 - 1e-9))
    least = np.where(unspaced[distinct % len(names)], _LEAST_UNSPACED, _LEAST_INFORMATION)
    close = information >= least
    near = np.isin(pairs, distinct[close & unspaced[distinct % len(names)]])
    of_name = np.isin(pairs, _name_pieces(tokens, pairs, np.flatnonzero(near)))
    # What stands between two pieces of a name is one.
    of_name[1:-1] |= near[1:-1] & of_name[:-2] & of_name[2:]
    accepted = np.isin(pairs, distinct[close & (counts >= _LEAST_PAIRS)])
    accepted[:-1] &= ~of_name[1:]  # a title goes before the name
    return _replace_linked(tokens, names, group, _find_links(accepted, of_name))


def _name_pieces(tokens: _Tokens, pairs: Longs, places: Longs) -> list[int]:
    """The pairs that are pieces of a Thai name at one of these places, where words stand close."""
    found: set[int] = set()
    for stretch in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
        if not len(stretch):
            continue
        first, end = int(stretch[0]), int(stretch[-1]) + 2
        nearby = tokens.word[max(first - REACH, 0) : end].tolist()
        written = [tokens.words[word][0] if word >= 0 else "" for word in nearby]
        before, words = written[: first - end], written[first - end :]
        if _THAI.match(words[0]):
            flags = find_pieces(
                words, before, closed=end == len(tokens.word) or tokens.word[end] < 0
            )
            found.update(pairs[stretch[np.array(flags)]].tolist())
    return sorted(found)


def _find_links(accepted: Flags, of_name: Flags) -> list[tuple[int, int]]:
    """First and last place of what is one term: all pieces of a name, two words of other pairs."""
    links: list[tuple[int, int]] = []
    free = 0
    for place in np.flatnonzero(accepted | of_name).tolist():
        if place < free:
            continue
        end = place + 1
        while of_name[place] and end < len(of_name) and of_name[end]:
            end += 1
        links.append((place, end))
        free = end + 1
    return links


def _replace_linked(
    tokens: _Tokens, names: list[str], group: Longs, links: list[tuple[int, int]]
) -> tuple[list[str], Longs]:
    """Terms and the term of each token, numbered anew in the order of the first occurrence."""
    term = group.copy()
    written = dict(enumerate(names))
    numbers_of: dict[tuple[int, ...], int] = {}
    spellings: dict[int, dict[str, int]] = {}
    for first, last in limits.check_each(links):
        parts = tuple(group[first : last + 1].tolist())
        number = numbers_of.setdefault(parts, len(names) + len(numbers_of))
        words = [tokens.words[word] for word in tokens.word[first : last + 1].tolist()]
        between = "" if UNSPACED.match(words[0][0]) else " "
        whole = strip_affixes(between.join(word for word, _ in words), words[0][1])
        forms = spellings.setdefault(number, {})
        forms[whole] = forms.get(whole, 0) + 1
        term[first], term[first + 1 : last + 1] = number, -1
    written |= {number: _choose_spelling(forms) for number, forms in spellings.items()}
    kept = term >= 0
    numbers, first_places, inverse = np.unique(term[kept], return_index=True, return_inverse=True)
    order = np.argsort(first_places)
    term[kept] = np.argsort(order)[inverse]
    return [written[number] for number in numbers[order].tolist()], term


# --- weights ------------------------------------------------------------------------------------


def _sum_by(numbers: Longs, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(numbers, values, minlength=size), np.float64)


def _weigh_spread(term: Longs, text: Longs, trust: Floats, size: int) -> Floats:
    """The weights of the terms of several texts."""
    texts = int(text.max(initial=0)) + 1
    pairs, inverse = np.unique(term * texts + text, return_inverse=True)
    term_of = pairs // texts
    in_text = np.log1p(_sum_by(inverse, trust, len(pairs)))
    with_term = np.bincount(term_of, minlength=size)
    return _sum_by(term_of, in_text, size) * np.log1p(texts / np.maximum(with_term, 1))


def _log_odds(here: Floats, there: Floats) -> Floats:
    """How surely a term is more frequent here than there, in standard deviations."""
    prior = _PRIOR * (here + there) / (here + there).sum()
    odds = []
    for counts in (here, there):
        more = counts + prior
        # A text of one term alone has nothing beside it.
        odds.append(np.log(more / np.maximum(counts.sum() + _PRIOR - more, 1e-9)))
    deviation = np.sqrt(1 / (here + prior) + 1 / (there + prior))
    return np.asarray((odds[0] - odds[1]) / deviation, np.float64)
