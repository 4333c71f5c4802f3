"""The results of a bench for people: Markdown, and one HTML file that needs nothing else."""

from __future__ import annotations

import difflib
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from tamis.errors import OutputError
from tamis.evaluate import charts
from tamis.evaluate.run import Result
from tamis.evaluate.summary import SummaryRow, by_page_type, by_set, groups, overall, table

_WORST = 5  # pages a contestant
_DIFF_WORDS = 1500  # of each text in a word diff: it is to be read, and takes quadratic time
_CONTEXT = 8  # words shown at each end of a run that is the same

_NAMES = {
    "bag_of_words": "words",
    "sequence": "sequence",
    "shingles": "4-grams",
    "length": "characters",
    "rouge_lsum": "ROUGE-LSum",
}


def write(folder: Path, results: Sequence[Result]) -> list[Path]:
    """Write report.md and report.html into a folder, which is made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for name, text in (("report.md", markdown(results)), ("report.html", html(results))):
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="replace")
            made.append(path)
    except OSError as error:
        raise OutputError(
            f"{folder}: the report cannot be written ({error.strerror}); choose another --report"
        ) from error
    return made


# --- Markdown ---------------------------------------------------------------------------------


def markdown(results: Sequence[Result]) -> str:
    """Tables: F1 by set and page type, precision and recall, every measure, snippets, time."""
    sets, kinds = by_set(results), by_page_type(results)
    if not sets:
        return "No page was benched.\n"
    parts = ["## F1 by set", "", _FIGURE_NOTE, "", *_figures(sets, mean=True)]
    if kinds:
        parts += ["", "## F1 by page type", "", *_figures(kinds, mean=False)]
    parts += ["", "## Precision, recall, time and misses", "", *_details(sets)]
    parts += _measures(sets)
    parts += _snippets(sets)
    return "\n".join(parts) + "\n"


_FIGURE_NOTE = (
    "Mean over the pages, bag of words; for a set that has only snippets, F1 of the snippets. The"
    " mean is over the sets."
)


def _figures(rows: Sequence[SummaryRow], *, mean: bool) -> list[str]:
    names = groups(rows)
    pages = {row.group: row.pages for row in rows}
    header = [*(f"{name} ({pages[name]:,})" for name in names), *(["mean"] if mean else [])]
    lines = [["contestant", *header]]
    for contestant, found in table(rows).items():
        cells = [_number(found[name].figure if name in found else None) for name in names]
        lines.append([contestant, *cells, *([_number(overall(rows, contestant))] if mean else [])])
    return _table(lines)


def _details(rows: Sequence[SummaryRow]) -> list[str]:
    lines = [["contestant", "set", "precision", "recall", "ms, mean", "ms, median", "misses"]]
    for row in rows:
        misses = ", ".join(f"{count} {kind}" for kind, count in row.misses.items())
        lines.append(
            [
                row.contestant,
                row.group,
                _number(row.precision),
                _number(row.recall),
                f"{row.milliseconds:.1f}",
                f"{row.median_milliseconds:.1f}",
                misses or "0",
            ]
        )
    return _table(lines)


def _measures(rows: Sequence[SummaryRow]) -> list[str]:
    names = list(dict.fromkeys(name for row in rows for name in row.measures))
    if len(names) < 2:
        return []
    lines = [["contestant", "set", *(_NAMES.get(name, name) for name in names)]]
    lines += [
        [row.contestant, row.group, *(_number(row.measures.get(name)) for name in names)]
        for row in rows
        if row.measures
    ]
    return ["", "## F1 by measure", "", *_table(lines)]


def _snippets(rows: Sequence[SummaryRow]) -> list[str]:
    lines = [["contestant", "set", "with", "without", "snippet F1"]]
    for row in rows:
        if row.snippets is not None:
            numbers = (row.snippets.with_rate, row.snippets.without_rate, row.snippets.score.f1)
            lines.append([row.contestant, row.group, *map(_number, numbers)])
    return ["", "## Snippets", "", *_table(lines)] if len(lines) > 1 else []


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _table(lines: Sequence[Sequence[str]]) -> list[str]:
    header, *rows = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    rule = ["---" if i == 0 else "---:" for i in range(len(header))]
    return [f"| {' | '.join(line)} |" for line in (header, rule, *rows)]


# --- HTML -------------------------------------------------------------------------------------


def html(results: Sequence[Result]) -> str:
    """The report with charts and the worst pages, in one file that loads nothing."""
    sets, kinds = by_set(results), by_page_type(results)
    sections = [
        ("F1 by set", f"<p>{escape(_FIGURE_NOTE)}</p>{_heat_table(sets)}"),
        ("F1 by page type", _heat_table(kinds) if kinds else ""),
        ("Precision against recall", _scatter(sets, _precision_recall, ("recall", "precision"))),
        ("Speed against accuracy", _scatter(sets, _speed_accuracy, _SPEED_LABELS, log=True)),
        ("Distribution over the pages", _distribution(results)),
        ("The worst pages", _worst_pages(results)),
    ]
    body = "".join(f"<h2>{title}</h2>{content}" for title, content in sections if content)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>tamis bench</title>'
        f"<style>{_STYLE}</style></head><body><h1>tamis bench</h1>{body}</body></html>\n"
    )


_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } td, th { padding: .25rem .6rem; text-align: right }
td:first-child, th:first-child { text-align: left } .scroll { overflow-x: auto }
svg text { font: 12px system-ui, sans-serif; fill: #333 }
svg .frame { fill: none; stroke: #999 } svg .grid { stroke: #ddd }
.diff { white-space: pre-wrap; background: #f7f7f5; padding: .8rem; overflow-wrap: anywhere }
ins, del { text-decoration: none } ins { background: #f6cfc8 } del { background: #cfe8d5 }
summary { cursor: pointer } .note { color: #555 }
"""
_SPEED_LABELS = ("milliseconds a page, mean", "F1")


def _heat_table(rows: Sequence[SummaryRow]) -> str:
    names = groups(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    lines = []
    for contestant, found in table(rows).items():
        figures = [found[name].figure if name in found else None for name in names]
        cells = "".join(map(_heat_cell, [*figures, overall(rows, contestant)]))
        lines.append(f"<tr><td>{escape(contestant)}</td>{cells}</tr>")
    return (
        f'<div class="scroll"><table><tr><th></th>{head}<th>mean</th></tr>{"".join(lines)}'
        "</table></div>"
    )


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
    figure = overall(rows, rows[0].contestant)
    pages = sum(row.pages for row in rows)
    if figure is None:
        return None
    return sum(row.milliseconds * row.pages for row in rows) / pages, figure


def _scatter(
    rows: Sequence[SummaryRow], point: Point, labels: tuple[str, str], *, log: bool = False
) -> str:
    places = {
        contestant: place
        for contestant, found in table(rows).items()
        if (place := point(list(found.values()))) is not None
    }
    return charts.scatter(places, labels, logarithmic=log) if places else ""


def _f1(result: Result) -> float | None:
    outcome = result.outcome
    if "bag_of_words" in outcome.scores:
        return outcome.scores["bag_of_words"].f1
    return None if outcome.snippets is None else outcome.snippets.score.f1


def _distribution(results: Sequence[Result]) -> str:
    values: dict[str, list[float]] = defaultdict(list)
    for result in results:
        if (f1 := _f1(result)) is not None:
            values[result.contestant.name].append(f1)
    return charts.histograms(values) if values else ""


# --- the worst pages --------------------------------------------------------------------------


def _worst_pages(results: Sequence[Result]) -> str:
    with_gold: dict[str, list[tuple[float, Result]]] = defaultdict(list)
    for result in results:
        if result.gold.text is not None and (f1 := _f1(result)) is not None:
            with_gold[result.contestant.name].append((f1, result))
    parts = []
    for name, scored in with_gold.items():
        scored.sort(key=lambda pair: (pair[0], pair[1].gold.dataset, pair[1].gold.id))
        parts.append(f"<h3>{escape(name)}</h3>")
        parts += [_worst_page(f1, result) for f1, result in scored[:_WORST]]
    if not parts:
        return ""
    note = (
        "<p class=note><del>Missing from the output</del>, <ins>too much in the output</ins>; what"
        f" is the same is shortened, and the first {_DIFF_WORDS:,} words are compared.</p>"
    )
    return note + "".join(parts)


def _worst_page(f1: float, result: Result) -> str:
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
    for what, first, end, other, other_end in matcher.get_opcodes():
        if what == "equal":
            parts.append(escape(_shortened(theirs[first:end])))
            continue
        if first < end:
            parts.append(f"<del>{escape(' '.join(theirs[first:end]))}</del>")
        if other < other_end:
            parts.append(f"<ins>{escape(' '.join(ours[other:other_end]))}</ins>")
    return " ".join(parts)


def _shortened(words: Sequence[str]) -> str:
    if len(words) <= 2 * _CONTEXT + 1:
        return " ".join(words)
    return " ".join([*words[:_CONTEXT], "…", *words[-_CONTEXT:]])
