"""Which pages a command is given: files, folders, patterns and addresses, and where each goes."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from tamis._runtime.storage import PAGE_SUFFIXES, walk_pages
from tamis.errors import InputError, OutputError
from tamis.page.addresses import LONGEST_HOST, host_of

if TYPE_CHECKING:
    from tamis import Page

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d_]{2,}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PageName:
    """A page before it is read."""

    name: str
    """A file or an address."""
    host: str
    """By its address or a folder, empty if these name none."""
    folder: str
    """A name for the pages beside it that have no host either."""
    inside: PurePath
    """Its path from the folder that was given."""

    def site(self, page: Page) -> str:
        """The host, or the folder if there is none."""
        return self.host or page.declared.host or self.folder[: LONGEST_HOST // 4]


def pages_of(sources: Sequence[str]) -> list[PageName]:
    """All pages of the sources; an `InputError` if a folder has none or nothing fits a pattern.

    A file that does not exist is a page that cannot be read, so that it does not stop the others.
    """
    return [page for source in sources for page in _pages(source)]


def _pages(source: str) -> Iterator[PageName]:
    if _ADDRESS.match(source):
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", source.partition("://")[2])[:LONGEST_HOST]
        name = name.strip("-.") or "page"
        yield PageName(source, host_of(source), "pages", PurePath(f"{name}.html"))
    elif os.path.isdir(source):
        inside = list(_files(source))
        if not inside:
            raise InputError(f"{source}: no file in it ends in {', '.join(PAGE_SUFFIXES)}")
        yield from inside
    elif glob.has_magic(source) and not os.path.exists(source):
        matching = sorted(glob.glob(source, recursive=True))
        if not matching:
            raise InputError(f"{source}: no file fits this pattern; check it")
        yield from (page for name in matching for page in _pages(name))
    else:
        path = Path("page" if source == "-" else source)
        folder = path.absolute().parent.name or "pages"
        yield PageName(source, _folder_host(path.parent), folder, PurePath(path.name))


def _files(top: str) -> Iterator[PageName]:
    """The pages in a folder and the folders in it, in order of their names."""
    own = Path(top).absolute().name or "pages"
    for path in walk_pages(top):
        inside = PurePath(os.path.relpath(path, top))
        folder = inside.parent
        group = folder.parts[0] if folder.parts else own
        yield PageName(path, _folder_host(own / folder), group, inside)


def _folder_host(path: PurePath) -> str:
    names = (name.lower().removeprefix("www.") for name in reversed(path.parts))
    return next((name for name in names if _HOST.fullmatch(name)), "")


def targets(pages: Sequence[PageName], folder: Path, extension: str) -> list[Path]:
    """A file for each page in a folder: different ones, and none that is a page itself."""
    sources = {os.path.realpath(page.name) for page in pages}
    used: Counter[Path] = Counter()
    chosen = []
    for page in pages:
        wanted = folder / page.inside.with_suffix("")
        target = wanted.with_name(wanted.name + extension)
        while target in used:
            used[wanted] += 1
            target = wanted.with_name(f"{wanted.name}-{used[wanted] + 1}{extension}")
        if os.path.realpath(target) in sources:
            raise OutputError(f"{target}: would replace a page; choose another folder as --output")
        used[target] = 0
        chosen.append(target)
    return chosen
