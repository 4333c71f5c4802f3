"""How well Thai text is cut into words, against sentences in which words are marked.

    python benchmarks/thai.py

`benchmarks/thai_words.txt` has 350 sentences of news, shops, forums, recipes and more,
`benchmarks/thai_compounds.txt` has 120 of news with compounds; they say by what rules they were
cut. Half of the 120 were set aside while all rules of `tamis.cloud.thai` but `_UNLISTED` were
chosen. Only runs of Thai letters count: at spaces, digits and other scripts no segmenter errs.
Boundaries are the places between two letters of a run; a word is right if both its ends are.
`weigh_terms` are the words that a cloud may show: two letters or more, and no stop word.

    newmm         PyThaiNLP's segmenter and dictionary, by nlpo3
    ICU           the dictionary of ICU
    deepcut       a neural network, trained on the corpus BEST 2010, by PyThaiNLP and onnxruntime
    deepcut, การ  the same, with การ and ความ joined to the word after them: the rules of BEST cut
                  them off, ours do not
    ours          the likeliest words (`tamis.cloud.thai`), by newmm and ICU
    by newmm      the same without ICU
    by ICU        the same without newmm
    guessing      what is used if no segmenter is installed: pieces that the text repeats

A second table is for `benchmarks/thai_names.txt`, stories in which names occur twice: how many
names are one term of the cloud, how many of them no segmenter cuts, how many terms are joined from
words, and how many of these are no name.

Needs the extra `bench` (PyThaiNLP 5.4 or later). Prints Markdown and writes
benchmarks/results/thai.json.
"""

from __future__ import annotations

import importlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import script
from icu4py.breakers import WordBreaker

from tamis.bench.measures import score_counts
from tamis.cloud import segment
from tamis.cloud.terms import weigh_terms
from tamis.cloud.thai import combine_segmenters, load_newmm
from tamis.cloud.vocabulary import SPACELESS, is_stopword

HERE = Path(__file__).parent
SET_ASIDE = "# set aside"
MARKED_NAME = re.compile(r"\{(.+?)\}")
MARKED_RUN = re.compile(f"[{SPACELESS['Thai']}|]+")

Words = list[str]
Spans = set[tuple[int, int]]


def read_sentences() -> dict[str, list[str]]:
    """The sentences with their marks, by set."""
    chosen, aside = (HERE / "thai_compounds.txt").read_text("utf-8").split(SET_ASIDE)
    texts = {
        "sentences": (HERE / "thai_words.txt").read_text("utf-8"),
        "compounds": chosen,
        "set aside": f"#{aside}",
    }
    return {
        name: [line for line in text.splitlines() if line and not line.startswith("#")]
        for name, text in texts.items()
    }


def marked_runs(lines: Iterable[str]) -> list[Words]:
    """The words of each run, the sentences one after the other."""
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
    boundary, word, term = (score_counts(*sums) for sums in counts.values())
    return {
        "boundary P": boundary.precision,
        "boundary R": boundary.recall,
        "boundary F1": boundary.f1,
        "word F1": word.f1,
        "term F1": term.f1,
    }


def join_prefixes(words: Iterable[str]) -> Words:
    """The words with การ and ความ joined to the one after them."""
    joined: Words = []
    for word in words:
        if joined and joined[-1] in ("การ", "ความ"):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def main() -> None:
    """Cut the sentences by each segmenter and compare."""
    script.parser(__doc__, shared=False).parse_args()
    os.environ["PYTHAINLP_READ_ONLY"] = "1"  # else it makes a folder in the user's home
    deepcut = importlib.import_module("pythainlp.tokenize.deepcut").segment
    by_newmm = load_newmm()
    by_both = combine_segmenters(by_newmm, by_icu)
    of_newmm, of_icu = combine_segmenters(by_newmm), combine_segmenters(by_icu)
    if by_newmm is None or by_both is None or of_newmm is None or of_icu is None:
        raise SystemExit("needs pythainlp, nlpo3 and icu4py: pip install 'tamis[thai]'")
    segmenters = {
        "newmm": by_newmm,
        "ICU": by_icu,
        "deepcut": deepcut,
        "deepcut, การ": lambda run: join_prefixes(deepcut(run)),
        "ours": by_both,
        "by newmm": of_newmm,
        "by ICU": of_icu,
    }
    rows: dict[str, dict[str, dict[str, float]]] = {}
    sentences = read_sentences()
    for name, lines in sentences.items():
        gold = marked_runs(lines)
        runs = ["".join(words) for words in gold]
        print(f"{name}: {len(runs)} runs, {sum(map(len, gold))} words")
        guessed = segment.guess_words(runs)
        for segmenter, split in (*segmenters.items(), ("guessing", guessed.__getitem__)):
            cuts = [list(split(run)) for run in runs]
            rows.setdefault(segmenter, {})[name] = figures(gold, cuts)
    header = [
        f"{name}: {figure}" for name, row in rows["ours"].items() for figure in shown(name, row)
    ]
    print(f"\n| | {' | '.join(header)} |\n|{'---|' * (len(header) + 1)}")
    for segmenter, sets in rows.items():
        values = (row[figure] for name, row in sets.items() for figure in shown(name, row))
        print(f"| {segmenter} | {' | '.join(f'{value:.3f}' for value in values)} |")
    sizes = {name: len(lines) for name, lines in sentences.items()}
    result = {"sentences": sizes, "words": rows, "names": names_kept()}
    script.write(script.RESULTS / "thai.json", result)


def names_kept() -> dict[str, dict[str, int]]:
    """How many names of the stories are one term, and how many joined terms are no name."""
    stories = (HERE / "thai_names.txt").read_text("utf-8").split(SET_ASIDE)
    rows: dict[str, dict[str, int]] = {}
    for part, lines in zip(("chosen by", "set aside"), stories, strict=True):
        counts = Counter(names=0, whole=0, uncut=0, joined=0, wrong=0)
        for line in lines.splitlines():
            if names := set(MARKED_NAME.findall(line)):
                text = line.replace("{", "").replace("}", "")
                single = set(segment.split_words(text, "th"))
                shown_terms = {term.term for term in weigh_terms([text], language="th", most=1_000)}
                counts["names"] += len(names)
                counts["whole"] += len(names & shown_terms)
                counts["uncut"] += len(names & shown_terms & single)
                counts["joined"] += len(shown_terms - single)
                counts["wrong"] += len(shown_terms - single - names)
        rows[part] = dict(counts)
    print(f"\n| names | {' | '.join(rows['set aside'])} |\n|---|---|---|---|---|---|")
    for part, row in rows.items():
        print(f"| {part} | {' | '.join(map(str, row.values()))} |")
    return rows


def shown(name: str, row: dict[str, float]) -> list[str]:
    """The figures of a set that the table has room for."""
    return [figure for figure in row if name == "sentences" or not figure.startswith("boundary")]


def by_icu(run: str) -> Iterable[str]:
    """The words by ICU."""
    words: Iterable[str] = WordBreaker(run, "th")
    return words


if __name__ == "__main__":
    main()
