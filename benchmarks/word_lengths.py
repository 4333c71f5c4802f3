"""How many code points a word has in scripts that put no spaces between words.

    python benchmarks/word_lengths.py

Justifies `HAN_WORD` and `SEA_WORD` of src/tamis/page/text/characters.py. The gold texts of the data
sets (`--shared`, default ../shared beside the repository) are cut into runs of one script, the code
points that tamis counts as `unspaced`, and the runs into words by every segmenter that is
installed: pythainlp's newmm for Thai, rjieba for Chinese, ICU (icu4py) for all. Writes
benchmarks/results/word_lengths.json.

    pip install pythainlp rjieba icu4py
"""

from __future__ import annotations

import importlib
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import script

from tamis.page.text.characters import CODE_POINT_KINDS, HAN, HAN_WORD, SEA, SEA_WORD

ENOUGH = 200  # code points of a script that a text needs to count as written in it

SEA_SCRIPTS = {
    "Thai": (0x0E00, 0x0E80, "th"),
    "Lao": (0x0E80, 0x0F00, "lo"),
    "Tibetan": (0x0F00, 0x1000, "bo"),
    "Burmese": (0x1000, 0x10A0, "my"),
    "Khmer": (0x1780, 0x1800, "km"),
}
KANA = re.compile("[\u3041-\u30ff]")
LOCALES = {"Chinese": "zh", "Japanese": "ja"} | {
    name: locale for name, (_, _, locale) in SEA_SCRIPTS.items()
}
Segmenter = Callable[[str], list[Any]]


def pattern(kind: int, first: int = 0, end: int = 0x10000) -> re.Pattern[str]:
    """Runs of the code points of a kind in a range."""
    chosen = (chr(number) for number in range(first, end) if CODE_POINT_KINDS[number] == kind)
    return re.compile(f"[{''.join(chosen)}]+")


HAN_RUNS = pattern(HAN)
SEA_RUNS = {name: pattern(SEA, first, end) for name, (first, end, _) in SEA_SCRIPTS.items()}


def runs_of(text: str) -> Iterator[tuple[str, list[str]]]:
    """The languages that a text is written in, and its runs of each one's script."""
    han = HAN_RUNS.findall(text)
    # Japanese prose is half kana; a Chinese text has at most a quoted name in it.
    japanese = len(KANA.findall(text)) > sum(map(len, han)) / 10
    by_script = {"Japanese" if japanese else "Chinese": han}
    by_script |= {name: runs.findall(text) for name, runs in SEA_RUNS.items()}
    for name, runs in by_script.items():
        if sum(map(len, runs)) >= ENOUGH:
            yield name, runs


def segmenters() -> dict[str, dict[str, Segmenter]]:
    """Language to the segmenters that are installed for it."""
    segmenters: dict[str, dict[str, Segmenter]] = defaultdict(dict)
    try:
        tokenize = importlib.import_module("pythainlp.tokenize").word_tokenize
        name = f"pythainlp {version('pythainlp')} newmm"
        segmenters["Thai"][name] = lambda run: list(tokenize(run, engine="newmm"))
    except ImportError as error:
        print(f"left out: {error}")
    try:
        segmenters["Chinese"][f"rjieba {version('rjieba')}"] = importlib.import_module("rjieba").cut
    except ImportError as error:
        print(f"left out: {error}")
    try:
        breaker = importlib.import_module("icu4py.breakers").WordBreaker
        for language, locale in LOCALES.items():
            segmenters[language][f"ICU (icu4py {version('icu4py')})"] = by_icu(breaker, locale)
    except ImportError as error:
        print(f"left out: {error}")
    return segmenters


def by_icu(breaker: Any, locale: str) -> Segmenter:
    """ICU's dictionaries for a language."""
    return lambda run: list(breaker(run, locale).segments())


def gold_texts(shared: Path) -> Iterator[tuple[str, str]]:
    """Name of the set and gold text, or the snippets that stand for it, of every page."""
    for path in sorted((shared / "datasets").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                text = row.get("text") or "\n".join(row.get("with") or [])
                yield path.name.removesuffix(".jsonl.xz"), text


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    arguments = parser.parse_args()
    installed = segmenters()
    texts: Counter[str] = Counter()
    sets: dict[str, set[str]] = defaultdict(set)
    points: Counter[str] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    for name, text in gold_texts(arguments.shared):
        for language, runs in runs_of(text):
            texts[language] += 1
            sets[language].add(name)
            points[language] += sum(map(len, runs))
            for segmenter, cut in installed[language].items():
                words[language, segmenter] += sum(len(cut(run)) for run in runs)
    print("| language | texts | code points | segmenter | words | code points a word | constant |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    for (language, segmenter), count in sorted(words.items()):
        length = points[language] / count
        constant = SEA_WORD if language in SEA_SCRIPTS else HAN_WORD
        print(
            f"| {language} | {texts[language]} | {points[language]} | {segmenter} | {count} |"
            f" {length:.2f} | {constant} |"
        )
        rows.append(
            {
                "language": language,
                "texts": texts[language],
                "sets": sorted(sets[language]),
                "code_points": points[language],
                "segmenter": segmenter,
                "words": count,
                "code_points_a_word": length,
                "constant": constant,
            }
        )
    missing = [language for language in LOCALES if not texts[language]]
    print(f"no text of {ENOUGH} code points: {', '.join(missing) or 'none'}")
    out = script.RESULTS / "word_lengths.json"
    script.write(out, rows)


if __name__ == "__main__":
    main()
