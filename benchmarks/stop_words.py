"""Which words say little: our stop words and those of stopwordsiso, by how evenly they are spread.

    pip install stopwordsiso
    python benchmarks/stop_words.py --shared ../shared        half a minute

A word without a subject is on as many pages as chance would put it; one with a subject is often on
few. The spread of a word is the number of gold texts that have it over the number that would if all
its occurrences fell anywhere, in proportion to the length of the texts. A word of stopwordsiso that
we do not have counts as a filler if it is spread like nine in ten of our own stop words.
Justifies src/tamis/cloud/fillers.tsv. Writes benchmarks/results/stop_words.json.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import click
import script
import stopwordsiso

from tamis._runtime.stop_words import STOP_WORDS
from tamis.cloud.vocabulary import likely_language, read_word_lists
from tamis.labels import datasets

OUT = script.RESULTS / "stop_words.json"
SETS = ("world-news", "languages", "mercury", "forum52", "news2023", "scrapinghub", "wcxb-dev")
LEAST_TEXTS = 50  # of a language
LEAST_SHARE = 1 / 150  # of the texts that have a word, below which its spread says nothing
LEAST_WORDS = 80  # of a text
MOST_LETTERS = 20_000
EXAMPLES = tuple("left end far round old fire bill system computer market".split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def main() -> None:
    """Measure all languages with enough texts."""
    options = script.parser(__doc__).parse_args()
    texts: dict[str, list[list[str]]] = defaultdict(list)
    for name in SETS:
        for entry in datasets.read(options.shared / "datasets" / f"{name}.jsonl.xz"):
            words = [word.lower() for word in _WORD.findall((entry.text or "")[:MOST_LETTERS])]
            if len(words) >= LEAST_WORDS:
                texts[likely_language(words)].append(words)
    measured = {
        language: measure(language, own)
        for language, own in sorted(texts.items())
        if len(own) >= LEAST_TEXTS and stopwordsiso.has_lang(language)
    }
    for language, row in measured.items():
        click.echo(f"{language}: {', '.join(f'{name} {value}' for name, value in row.items())}")
    script.write(OUT, measured)


def measure(language: str, texts: Sequence[Sequence[str]]) -> dict[str, Any]:
    """How the words of both lists are spread over the texts of a language."""
    counts: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
        pages.update(set(words))
    total = sum(map(len, texts))

    def spread(word: str) -> float:
        rate = counts[word] / total
        return pages[word] / sum(1 - math.exp(-rate * len(words)) for words in texts)

    def known(words: Sequence[str]) -> list[str]:
        return [word for word in sorted(words) if pages[word] >= LEAST_SHARE * len(texts)]

    ours = sorted(spread(word) for word in known(STOP_WORDS[language]))
    border = ours[len(ours) // 10]
    others = known([*stopwordsiso.stopwords(language) - {*STOP_WORDS[language]}])
    fillers = [word for word in others if spread(word) >= border]
    return {
        "texts": len(texts),
        "border": round(border, 3),
        "ours": len(ours),
        "only stopwordsiso": len(others),
        "of these fillers": len(fillers),
        "taken": len({*fillers} & {*read_word_lists("fillers").get(language, ())}),
        "spread": {word: round(spread(word), 2) for word in EXAMPLES if pages[word] >= 5},
        "not fillers": [word for word in others if word not in fillers],
    }


if __name__ == "__main__":
    main()
