"""The results of a bench for people: Markdown, and one HTML file that needs nothing else.

All is made of one row per contestant and set, or per contestant and page type.
"""

from __future__ import annotations

import difflib
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from tamis.bench import charts
from tamis.bench.measures import BLOCKS, BlockScore, Snippets, pool_counts
from tamis.bench.run import Trial
from tamis.errors import OutputError


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """Means over the pages of a group. What the group has no gold for is None."""

    contestant: str
    group: str
    """Name of the set, or the page type."""
    pages: int
    precision: float | None
    """Of the bag of words, like `recall` and `f1`: the mean over the pages that have gold text."""
    recall: float | None
    f1: float | None
    measures: dict[str, float]
    """Mean F1 of every measure that was taken."""
    blocks: BlockScore | None
    """Decisions on blocks, means over the pages, if they were taken."""
    snippets: Snippets | None
    """Counts over all pages of the group."""
    milliseconds: float
    """Mean per page."""
    median_milliseconds: float
    misses: dict[str, int]
    """Pages without an output, by the kind of reason."""

    @property
    def figure(self) -> float | None:
        """The one number for the group: F1 of words, or of snippets where there is no gold text."""
        if self.f1 is not None:
            return self.f1
        return None if self.snippets is None else self.snippets.score.f1

    def to_dict(self) -> dict[str, Any]:
        snippets = self.snippets
        return {
            "contestant": self.contestant,
            "group": self.group,
            "pages": self.pages,
            "figure": self.figure,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "measures": self.measures,
            "blocks": self.blocks and self.blocks._asdict(),
            "with": snippets.with_rate if snippets else None,
            "without": snippets.without_rate if snippets else None,
            "snippet_f1": snippets.score.f1 if snippets else None,
            "milliseconds": self.milliseconds,
            "median_milliseconds": self.median_milliseconds,
            "misses": self.misses,
        }


def summarise_sets(results: Iterable[Trial]) -> list[SummaryRow]:
    """One row per contestant and set, in the order of the results."""
    return _summarise(results, lambda result: result.gold.dataset)


def summarise_types(results: Iterable[Trial]) -> list[SummaryRow]:
    """One row per contestant and page type, for the pages that have one."""
    typed = (result for result in results if result.gold.page_type)
    return _summarise(typed, lambda result: str(result.gold.page_type))


def mean_figure(rows: Iterable[SummaryRow], contestant: str) -> float | None:
    """Mean over the sets, each counting the same."""
    figures = [row.figure for row in rows if row.contestant == contestant]
    return _mean_or_none([figure for figure in figures if figure is not None])


def group_rows(rows: Sequence[SummaryRow]) -> dict[str, dict[str, SummaryRow]]:
    """Contestant to group to row, both in the order of the rows."""
    rows_of: dict[str, dict[str, SummaryRow]] = defaultdict(dict)
    for row in rows:
        rows_of[row.contestant][row.group] = row
    return dict(rows_of)


def list_groups(rows: Sequence[SummaryRow]) -> list[str]:
    return list(dict.fromkeys(row.group for row in rows))


def _summarise(results: Iterable[Trial], group: Callable[[Trial], str]) -> list[SummaryRow]:
    members_of: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for result in results:
        members_of[result.contestant.name, group(result)].append(result)
    return [_make_row(*names, members) for names, members in members_of.items()]


def _make_row(contestant: str, group: str, results: list[Trial]) -> SummaryRow:
    outcomes = [result.outcome for result in results]
    words = [
        outcome.scores["bag_of_words"] for outcome in outcomes if "bag_of_words" in outcome.scores
    ]
    taken = dict.fromkeys(name for outcome in outcomes for name in outcome.scores)
    decisions = [outcome.scores[BLOCKS] for outcome in outcomes if BLOCKS in outcome.scores]
    counts = [outcome.snippets for outcome in outcomes if outcome.snippets is not None]
    times = [outcome.seconds * 1000 for outcome in outcomes]
    return SummaryRow(
        contestant,
        group,
        len(results),
        _mean_or_none([score.precision for score in words]),
        _mean_or_none([score.recall for score in words]),
        _mean_or_none([score.f1 for score in words]),
        {
            name: statistics.fmean(
                outcome.scores[name].f1 for outcome in outcomes if name in outcome.scores
            )
            for name in taken
        },
        BlockScore(*map(statistics.fmean, zip(*decisions, strict=True))) if decisions else None,
        pool_counts(counts) if counts else None,
        statistics.fmean(times),
        statistics.median(times),
        dict(
            Counter(_kind_of_miss(outcome.miss) for outcome in outcomes if outcome.miss is not None)
        ),
    )


def _mean_or_none(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _kind_of_miss(miss: str) -> str:
    return miss.partition(":")[0]


# --- the report ---------------------------------------------------------------------------------

_WORST = 5  # pages per contestant
_DIFF_WORDS = 1500  # of each text in a word diff: it is to be read, and takes quadratic time
_CONTEXT = 8  # words shown at each end of a run that is the same

_NAMES = {
    "bag_of_words": "words",
    "sequence": "sequence",
    "shingles": "4-grams",
    "length": "characters",
    "rouge_lsum": "ROUGE-LSum",
    "blocks": "blocks",
}


def write_report(folder: Path, results: Sequence[Trial]) -> list[Path]:
    """Write report.md and report.html into a folder, which is made."""
    texts = {
        folder / "report.md": write_markdown(results),
        folder / "report.html": write_html(results),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutputError(
            f"{folder}: the report cannot be written ({error.strerror}); choose another --report"
        ) from error
    return list(texts)


# --- Markdown ---------------------------------------------------------------------------------


def write_markdown(results: Sequence[Trial]) -> str:
    """Tables: F1 by set and page type, precision and recall, every measure, snippets, time."""
    sets, kinds = summarise_sets(results), summarise_types(results)
    if not sets:
        return "No page was benched.\n"
    parts = ["## F1 by set", "", _FIGURE_NOTE, "", *_tabulate_figures(sets, mean=True)]
    if kinds:
        parts += ["", "## F1 by page type", "", *_tabulate_figures(kinds, mean=False)]
    names = list(dict.fromkeys(name for row in sets for name in row.measures))
    details = "precision", "recall", "ms, mean", "ms, median", "misses"
    parts += _write_section("Precision, recall, time and misses", details, sets, _detail_cells)
    if len(names) > 1:
        header = [_NAMES.get(name, name) for name in names]
        parts += _write_section(
            "F1 by measure", header, sets, lambda row: row.measures and map(row.measures.get, names)
        )
    decisions = "precision", "recall", "F1", "accuracy"
    parts += _write_section("Decisions on blocks", decisions, sets, lambda row: row.blocks)
    parts += _write_section("Snippets", ("with", "without", "snippet F1"), sets, _snippet_cells)
    return "\n".join(parts) + "\n"


_FIGURE_NOTE = (
    "Mean over the pages, bag of words; for a set that has only snippets, F1 of the snippets. The"
    " mean is over the sets."
)


def _tabulate_figures(rows: Sequence[SummaryRow], *, mean: bool) -> list[str]:
    pages = {row.group: row.pages for row in rows}
    header = [f"{name} ({pages[name]:,})" for name in list_groups(rows)]
    columns = len(header) + mean
    lines = [[name, *map(_format_cell, numbers[:columns])] for name, numbers in _figures_of(rows)]
    return _write_table([["contestant", *header, "mean"][: columns + 1], *lines])


def _figures_of(rows: Sequence[SummaryRow]) -> Iterator[tuple[str, list[float | None]]]:
    """Each contestant with its figure for each group, and their mean at the end."""
    names = list_groups(rows)
    for contestant, by_group in group_rows(rows).items():
        figures = [by_group[name].figure if name in by_group else None for name in names]
        yield contestant, [*figures, mean_figure(rows, contestant)]


def _write_section(
    title: str,
    header: Sequence[str],
    rows: Sequence[SummaryRow],
    cells: Callable[[SummaryRow], Iterable[str | float | None] | None],
) -> list[str]:
    """A table with one line for each row that has cells; nothing if none has any."""
    lines = [
        [row.contestant, row.group, *map(_format_cell, own)] for row in rows if (own := cells(row))
    ]
    if not lines:
        return []
    return ["", f"## {title}", "", *_write_table([["contestant", "set", *header], *lines])]


def _detail_cells(row: SummaryRow) -> list[str | float | None]:
    misses = ", ".join(f"{count} {kind}" for kind, count in row.misses.items())
    times = f"{row.milliseconds:.1f}", f"{row.median_milliseconds:.1f}"
    return [row.precision, row.recall, *times, misses or "0"]


def _snippet_cells(row: SummaryRow) -> list[float] | None:
    counts = row.snippets
    return counts and [counts.with_rate, counts.without_rate, counts.score.f1]


def _format_cell(value: str | float | None) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:.3f}"


def _write_table(lines: Sequence[Sequence[str]]) -> list[str]:
    header, *rows = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    rule = ["---" if i == 0 else "---:" for i in range(len(header))]
    return [f"| {' | '.join(line)} |" for line in (header, rule, *rows)]


# --- HTML -------------------------------------------------------------------------------------


def write_html(results: Sequence[Trial]) -> str:
    """The report with charts and the worst pages, in one file that loads nothing."""
    sets, kinds = summarise_sets(results), summarise_types(results)
    sections = [
        ("F1 by set", f"<p>{escape(_FIGURE_NOTE)}</p>{_heat_table(sets)}"),
        ("F1 by page type", _heat_table(kinds) if kinds else ""),
        (
            "Precision against recall",
            _draw_scatter(sets, _precision_recall, ("recall", "precision")),
        ),
        ("Speed against accuracy", _draw_scatter(sets, _speed_accuracy, _SPEED_LABELS, log=True)),
        ("Distribution over the pages", _draw_distribution(results)),
        ("The worst pages", _worst_pages(results)),
    ]
    body = "".join(f"<h2>{title}</h2>{content}" for title, content in sections if content)
    style = Path(__file__).with_suffix(".css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>tamis bench</title>'
        f"<style>\n{style}</style></head><body><h1>tamis bench</h1>{body}</body></html>\n"
    )


_SPEED_LABELS = ("milliseconds per page, mean", "F1")


def _heat_table(rows: Sequence[SummaryRow]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in [*list_groups(rows), "mean"])
    lines = "".join(
        f"<tr><td>{escape(contestant)}</td>{''.join(map(_heat_cell, figures))}</tr>"
        for contestant, figures in _figures_of(rows)
    )
    return f'<div class="scroll"><table><tr><th></th>{head}</tr>{lines}</table></div>'


def _heat_cell(value: float | None) -> str:
    if value is None:
        return "<td></td>"
    return f'<td style="background: hsl({value * 120:.0f} 55% 82%)">{value:.3f}</td>'


Point = Callable[[list[SummaryRow]], tuple[float, float] | None]


def _precision_recall(rows: list[SummaryRow]) -> tuple[float, float] | None:
    known = [(row.recall, row.precision) for row in rows]
    pairs = [(r, p) for r, p in known if r is not None and p is not None]
    if not pairs:
        return None
    return statistics.fmean(r for r, _ in pairs), statistics.fmean(p for _, p in pairs)


def _speed_accuracy(rows: list[SummaryRow]) -> tuple[float, float] | None:
    figure = mean_figure(rows, rows[0].contestant)
    pages = sum(row.pages for row in rows)
    if figure is None:
        return None
    return sum(row.milliseconds * row.pages for row in rows) / pages, figure


def _draw_scatter(
    rows: Sequence[SummaryRow], point: Point, labels: tuple[str, str], *, log: bool = False
) -> str:
    places = {
        contestant: place
        for contestant, by_group in group_rows(rows).items()
        if (place := point(list(by_group.values()))) is not None
    }
    return charts.draw_scatter(places, labels, logarithmic=log) if places else ""


def _get_f1(result: Trial) -> float | None:
    outcome = result.outcome
    if "bag_of_words" in outcome.scores:
        return outcome.scores["bag_of_words"].f1
    return None if outcome.snippets is None else outcome.snippets.score.f1


def _draw_distribution(results: Sequence[Trial]) -> str:
    values = {name: [f1 for f1, _ in pages] for name, pages in _group_scored(results).items()}
    return charts.draw_histograms(values) if values else ""


def _group_scored(results: Iterable[Trial]) -> dict[str, list[tuple[float, Trial]]]:
    """By contestant, the pages that have an F1."""
    pages: dict[str, list[tuple[float, Trial]]] = defaultdict(list)
    for result in results:
        if (f1 := _get_f1(result)) is not None:
            pages[result.contestant.name].append((f1, result))
    return pages


# --- the worst pages --------------------------------------------------------------------------


def _worst_pages(results: Sequence[Trial]) -> str:
    parts = []
    for name, pages in _group_scored(row for row in results if row.gold.text is not None).items():
        pages.sort(key=lambda pair: (pair[0], pair[1].gold.dataset, pair[1].gold.id))
        parts.append(f"<h3>{escape(name)}</h3>")
        parts += [_worst_page(f1, result) for f1, result in pages[:_WORST]]
    if not parts:
        return ""
    note = (
        "<p class=note><del>Missing from the output</del>, <ins>too much in the output</ins>; what"
        f" is the same is shortened, and the first {_DIFF_WORDS:,} words are compared.</p>"
    )
    return note + "".join(parts)


def _worst_page(f1: float, result: Trial) -> str:
    gold, outcome = result.gold, result.outcome
    kind = f", {gold.page_type}" if gold.page_type else ""
    miss = f", {outcome.miss}" if outcome.miss else ""
    title = escape(f"{gold.dataset} {gold.id}{kind}: F1 {f1:.3f}{miss}")
    diff = word_diff(gold.text or "", outcome.text)
    return f'<details><summary>{title}</summary><div class="diff">{diff}</div></details>'


def word_diff(gold: str, output: str) -> str:
    """HTML of the words of both texts: `del` for those of the gold only, `ins` of the output."""
    ours = re.findall(r"\S+", output)[:_DIFF_WORDS]
    theirs = re.findall(r"\S+", gold)[:_DIFF_WORDS]
    parts = []
    matcher = difflib.SequenceMatcher(None, theirs, ours, autojunk=False)
    for change, first, end, our_first, our_end in matcher.get_opcodes():
        if change == "equal":
            parts.append(escape(_shorten_words(theirs[first:end])))
            continue
        if first < end:
            parts.append(f"<del>{escape(' '.join(theirs[first:end]))}</del>")
        if our_first < our_end:
            parts.append(f"<ins>{escape(' '.join(ours[our_first:our_end]))}</ins>")
    return " ".join(parts)


def _shorten_words(words: Sequence[str]) -> str:
    if len(words) <= 2 * _CONTEXT + 1:
        return " ".join(words)
    return " ".join([*words[:_CONTEXT], "…", *words[-_CONTEXT:]])
