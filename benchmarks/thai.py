"""How well Thai text is cut into words, against sentences in which words are marked.

    python benchmarks/thai.py

`benchmarks/thai_words.txt` has 350 sentences of news, shops, forums, recipes and more, and says by
what rules they were cut. Only runs of Thai letters count: at spaces, digits and other scripts no
segmenter errs. Boundaries are the places between two letters of a run; a word is right if both its
ends are. `terms` are the words that a cloud may show: two letters or more, and no stop word.

    newmm         PyThaiNLP's segmenter and dictionary, by nlpo3
    ICU           the dictionary of ICU
    no dictionary newmm, and ICU where newmm leaves a piece that its dictionary does not have
    ours          newmm and ICU, and where they disagree the likeliest words (`tamis.cloud.thai`)
    guessing      what is used if no segmenter is installed: pieces that the text repeats
    ours, odd     ours on each other run: the rule was chosen on all of them, and its figures on
    ours, even    either half show how far chance may carry it

Prints Markdown and writes benchmarks/results/thai.json.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import script
from icu4py.breakers import WordBreaker

from tamis.cloud import repetition
from tamis.cloud.scripts import SPACELESS
from tamis.cloud.segment import segmenter
from tamis.cloud.stopwords import is_stopword
from tamis.cloud.thai import between_agreements, newmm, thai_corpus
from tamis.evaluate.measures import of_counts

GOLD = Path(__file__).with_name("thai_words.txt")
MARKED_RUN = re.compile(f"[{SPACELESS['Thai']}|]+")

Words = list[str]
Spans = set[tuple[int, int]]


def read_gold() -> list[Words]:
    """The words of each run, the sentences one after the other."""
    lines = [line for line in GOLD.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [run.split("|") for line in lines for run in MARKED_RUN.findall(line)]


def compared(words: Iterable[str]) -> dict[str, Spans]:
    """What is compared of the words of a run: boundaries, words and terms, by their places."""
    spans, terms, end = set(), set(), 0
    for word in words:
        span = (end, end := end + len(word))
        spans.add(span)
        if len(word) > 1 and not is_stopword(word, word, "th"):
            terms.add(span)
    return {
        "boundary": {(last, last) for _, last in spans if last < end},
        "word": spans,
        "term": terms,
    }


def figures(gold: Sequence[Words], cuts: Sequence[Words]) -> dict[str, float]:
    """Precision, recall and F1 of boundaries, F1 of words and of terms."""
    counts = {name: [0, 0, 0] for name in compared([])}
    for right_words, words in zip(gold, cuts, strict=True):
        right, ours = compared(right_words), compared(words)
        for name, sums in counts.items():
            sums[0] += len(ours[name] & right[name])
            sums[1] += len(ours[name])
            sums[2] += len(right[name])
    boundary, word, term = (of_counts(*sums) for sums in counts.values())
    return {
        "boundary P": boundary.precision,
        "boundary R": boundary.recall,
        "boundary F1": boundary.f1,
        "word F1": word.f1,
        "term F1": term.f1,
    }


def main() -> None:
    """Cut the sentences by each segmenter and compare."""
    script.parser(__doc__, shared=False).parse_args()
    by_newmm, dictionary = newmm(), thai_corpus("words_th.txt")
    if by_newmm is None or dictionary is None:
        raise SystemExit("needs pythainlp, nlpo3 and icu4py: pip install 'tamis[thai]'")
    known = set(dictionary.read_text("utf-8").split())

    def no_dictionary(run: str) -> Words:
        pairs = between_agreements(by_newmm(run), WordBreaker(run, "th"))
        return [
            word
            for words, others in pairs
            for word in (words if known.issuperset(words) else others)
        ]

    gold = read_gold()
    runs = ["".join(words) for words in gold]
    ours, guessed = segmenter("Thai")(runs), repetition.cut(runs)
    cuts = {
        "newmm": [list(by_newmm(run)) for run in runs],
        "ICU": [list(WordBreaker(run, "th")) for run in runs],
        "no dictionary": list(map(no_dictionary, runs)),
        "ours": [ours[run] for run in runs],
        "guessing": [guessed[run] for run in runs],
    }
    rows = {name: figures(gold, cut) for name, cut in cuts.items()}
    for half, name in enumerate(("ours, odd", "ours, even")):
        rows[name] = figures(gold[half::2], cuts["ours"][half::2])
    print(f"{len(runs)} runs, {sum(map(len, gold))} words\n")
    print(f"| | {' | '.join(rows['ours'])} |")
    print("|---|---|---|---|---|---|")
    for name, row in rows.items():
        print(f"| {name} | {' | '.join(f'{value:.3f}' for value in row.values())} |")
    script.write(script.RESULTS / "thai.json", rows)


if __name__ == "__main__":
    main()
