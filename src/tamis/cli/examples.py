"""`tamis examples`: pages to try everything on, which come with the package."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click

from tamis._runtime import storage
from tamis.cli.help import Command
from tamis.cli.output import make_folder, report
from tamis.errors import OutputError


@click.command("examples", cls=Command)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default="examples",
    show_default=True,
    help="The folder that they go to; it is made if it is not there.",
)
def examples_command(folder: Path) -> None:
    """Write the example pages of the tutorials to a folder.

    They are a news article, a thread of a forum and a Thai article, invented, with all that is
    around such pages. A file of your own that has the name of one is not overwritten.

    \b
    Examples:
      tamis examples
      tamis examples --output pages/
    """
    # The page of `tamis serve` shows them, too. By path: its package needs the extra `serve`.
    shipped = resources.files("tamis") / "serve" / "page" / "examples"
    pages = {page.name: page.read_bytes() for page in shipped.iterdir()}
    make_folder(folder)
    paths = [folder / name for name in sorted(pages)]
    missing = [path for path in paths if not _is_there(path, pages[path.name])]
    for path in missing:
        storage.write(path, pages[path.name])
    report(f"{'wrote' if missing else 'already there:'} {', '.join(map(str, missing or paths))}")


def _is_there(path: Path, content: bytes) -> bool:
    """Whether a file is what would be written; another one that is in the way is an error."""
    if not path.exists():
        return False
    try:
        same = path.read_bytes() == content
    except OSError:
        same = False
    if same:
        return True
    raise OutputError(
        f"{path}: is there and is not the example page; rename it, or choose another folder with "
        "--output"
    )
