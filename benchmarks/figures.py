"""Write the figures of the documentation again, by the commands that are named beside them.

    python benchmarks/figures.py                            all of docs/, which takes hours
    python benchmarks/figures.py docs/explanation/papers.md --stored    from the last runs, at once
    python benchmarks/figures.py --list                     which commands there are

A table that a command writes has two comments around it, which a reader does not see:

    <!-- figures: papers.py kim # Table 3 -->
    | ... |
    <!-- end of figures -->

The command is a script of this folder with its arguments, or `tamis ...`. It prints Markdown. What
follows `#` is the heading under which the command prints this table; without it, the table is
the only one that the command prints. A command that several tables name runs once.

Figures in sentences are listed in a comment below them: the command, the file in
benchmarks/results that it writes, and one line per phrase, with the place of each figure in
that file:

    <!-- figures in the text: text_blocks.py --leaves > text_blocks_leaves.json
    F {49/page} for {10/page} over pages
    -->

The phrase stands once in the page, on one line or more. A figure keeps its form: as many decimals
as before, percent or not, thousands apart or not; of a list or a table it is the length. Phrases
without such places, below `<!-- figures of others: REASON`, are those that nothing here measures.

`--stored` runs nothing: tables are printed by the commands with `--stored`, sentences have what is
in the files. tests/docs/test_figures.py compares docs/explanation/papers.md with that, and looks
for figures that have no command.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import script

TABLE = re.compile(r"(<!-- figures: (.+?) -->\n).*?(<!-- end of figures -->)", re.DOTALL)
LISTED = re.compile(r"<!-- figures in the text: (.+?) > (\S+)\n(.*?)\n-->", re.DOTALL)
OF_OTHERS = re.compile(r"<!-- figures of others: [^\n]*\n(.*?)\n-->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HOLE = re.compile(r"\{([^{}]+)\}")
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d+)%?"
# What looks like a measurement: 0.85 and .854, 13%, 84,198; no 0.5, no 3.2 of a section.
_MEASURED = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d*\.\d{2,}%?|\d+(?:\.\d+)?%)(?![\w])")


class Phrase(NamedTuple):
    """Words around figures, the file they are in, and their places in it."""

    command: str
    file: str
    words: str

    @property
    def places(self) -> list[str]:
        """Where the figures are in the file."""
        return _HOLE.findall(self.words)

    def find(self, text: str) -> re.Match[str]:
        """The one place in a page where the phrase stands; each group is a figure."""
        words = [r"\s+".join(map(re.escape, part.split(" "))) for part in _HOLE.split(self.words)]
        words[1::2] = [f"({_NUMBER})"] * len(self.places)
        # A figure does not begin or end inside a longer one.
        pattern = rf"(?<![\d.,]){''.join(words)}(?![\d%]|[.,]\d)"
        found = list(re.finditer(pattern, _without_comments(text)))
        if len(found) != 1:
            raise SystemExit(f"{self.words!r} stands {len(found)} times in the page, not once")
        return found[0]


# Tables


def split(source: str) -> tuple[str, str]:
    """The command and the heading of what stands in a comment."""
    command, _, heading = source.partition(" # ")
    return command.strip(), heading.strip()


@cache
def output(command: str) -> str:
    """What a command prints."""
    name, *arguments = shlex.split(command)
    program = ["-m", "tamis"] if name == "tamis" else [str(script.ROOT / "benchmarks" / name)]
    print(f"# {command}", file=sys.stderr)
    return subprocess.run(
        [sys.executable, *program, *arguments],
        cwd=script.ROOT,
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ).stdout


def table(heading: str, text: str) -> str:
    """The table of an output that stands under a heading, or the first without a heading."""
    if heading:
        start = re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE)
        text = text[start.end() :] if start else ""
    rows = re.search(r"^\|.*\n(\|.*\n)*", text, re.MULTILINE)
    if rows is None:
        raise SystemExit(f"no table was printed under the heading {heading!r}")
    return rows[0].strip()


def fill_tables(text: str, run: Callable[[str], str]) -> str:
    """A page with the tables that commands print."""

    def filled(match: re.Match[str]) -> str:
        command, heading = split(match[2])
        return f"{match[1]}{table(heading, run(command))}\n{match[3]}"

    return TABLE.sub(filled, text)


# Sentences


def phrases(text: str) -> Iterator[Phrase]:
    """The phrases of a page that have figures of ours."""
    for match in LISTED.finditer(text):
        for line in match[3].splitlines():
            yield Phrase(match[1], match[2], line)


@cache
def stored(file: str) -> Any:
    """The results of the last run of a command."""
    return json.loads((script.RESULTS / file).read_text("utf-8"))


def figure(file: str, place: str) -> float:
    """The figure at a place, such as `l3s-gn1/content`; the length of a list or a table."""
    value = stored(file)
    for step in place.split("/"):
        value = value[int(step) if isinstance(value, list) else step]
    return float(len(value) if isinstance(value, list | dict) else value)


def as_before(value: float, before: str) -> str:
    """A figure in the form of the one that stands there.

    >>> as_before(0.8216, ".822"), as_before(0.064, "6.1%"), as_before(80208, "84,646")
    ('.822', '6.4%', '80,208')
    """
    percent = "%" * before.endswith("%")
    decimals = len(before.rstrip("%").partition(".")[2])
    thousands = "," * ("," in before)
    shown = f"{100 * value if percent else value:{thousands}.{decimals}f}"
    return (shown.removeprefix("0") if before.startswith(".") else shown) + percent


def fill_phrases(text: str) -> str:
    """A page with the figures that are in the files."""
    for phrase in phrases(text):
        match = phrase.find(text)
        for group, place in reversed(list(enumerate(phrase.places, 1))):
            now = as_before(figure(phrase.file, place), match[group])
            text = text[: match.start(group)] + now + text[match.end(group) :]
    return text


def unnamed(text: str) -> list[str]:
    """What looks like a measurement and has neither a command nor a reason."""
    known = [phrase.find(text).span() for phrase in phrases(text)]
    for match in OF_OTHERS.finditer(text):
        known += [Phrase("", "", line).find(text).span() for line in match[1].splitlines()]
    known += [match.span() for match in TABLE.finditer(text)]
    plain = _without_comments(text)
    # Code has parameters, and addresses have numbers.
    known += [match.span() for match in re.finditer(r"`[^`\n]*`|\]\([^)\n]*\)", plain)]
    return [
        plain[max(0, match.start() - 40) : match.end() + 20]
        for match in _MEASURED.finditer(plain)
        if not any(start <= match.start() and match.end() <= end for start, end in known)
    ]


def _without_comments(text: str) -> str:
    """A page with blanks in the place of comments, so that places stay."""
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def renew(text: str, run: Callable[[str], str]) -> str:
    """A page with its figures as they are now; `run` gives what a command prints."""
    return fill_phrases(fill_tables(text, run))


def run_stored(command: str) -> str:
    """What a command prints of its last run."""
    return output(f"{command} --stored")


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("pages", nargs="*", type=Path, help="pages of the documentation")
    parser.add_argument("--stored", action="store_true", help="the figures of the last runs")
    parser.add_argument("--list", action="store_true", help="only list the commands")
    arguments = parser.parse_args()
    for page in arguments.pages or sorted((script.ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        commands = dict.fromkeys(split(match[2])[0] for match in TABLE.finditer(text))
        in_text = dict.fromkeys(phrase.command for phrase in phrases(text))
        if arguments.list:
            for command in commands | in_text:
                print(f"{page}: {command}")
            continue
        if not arguments.stored:
            for command in in_text:
                output(command)
        changed = renew(text, run_stored if arguments.stored else output)
        if changed != text:
            page.write_text(changed, encoding="utf-8")
            print(page)


if __name__ == "__main__":
    main()
