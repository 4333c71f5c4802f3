"""Write the tables of the documentation again, by the commands that are named above them.

    python benchmarks/figures.py                            all of docs/, which takes an hour or two
    python benchmarks/figures.py docs/explanation/methods/bte.md        the tables of one page
    python benchmarks/figures.py --list                     which commands there are

A table that a command writes has two comments around it, which a reader does not see:

    <!-- figures: papers.py kim # content class -->
    | ... |
    <!-- end of figures -->

The command is a script of this folder with its arguments, or `tamis ...`. It prints Markdown. What
follows `#` is the heading under which the command prints this table; without it, the table is
the only one that the command prints. A command that several tables name runs once.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import script

BLOCK = re.compile(r"(<!-- figures: (.+?) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def split(source: str) -> tuple[str, str]:
    """The command and the heading of what stands in a comment."""
    command, _, heading = source.partition(" # ")
    return command.strip(), heading.strip()


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


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("pages", nargs="*", type=Path, help="pages of the documentation")
    parser.add_argument("--list", action="store_true", help="only list the commands")
    arguments = parser.parse_args()
    outputs: dict[str, str] = {}
    for page in arguments.pages or sorted((script.ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if arguments.list:
            for match in BLOCK.finditer(text):
                print(f"{page}: {match[2]}")
            continue

        def filled(match: re.Match[str]) -> str:
            command, heading = split(match[2])
            if command not in outputs:
                outputs[command] = output(command)
            return f"{match[1]}{table(heading, outputs[command])}\n{match[3]}"

        changed = BLOCK.sub(filled, text)
        if changed != text:
            page.write_text(changed, encoding="utf-8")
            print(page)


if __name__ == "__main__":
    main()
