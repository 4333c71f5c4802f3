"""Which pages `tamis site` is given: files, folders and addresses, and whose they are."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from tamis.errors import InputError, OutputError
from tamis.page.addresses import LONGEST_HOST, host_of
from tamis.storage import PAGE_SUFFIXES, walk_pages

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
    """All pages of the sources; an `InputError` if a name is wrong or a folder has no page."""
    pages: list[PageName] = []
    for source in sources:
        if _ADDRESS.match(source):
            name = re.sub(r"[^A-Za-z0-9_.-]+", "-", source.partition("://")[2])[:LONGEST_HOST]
            name = name.strip("-.") or "page"
            pages.append(PageName(source, host_of(source), "pages", PurePath(f"{name}.html")))
        elif os.path.isdir(source):
            inside = list(_files(source))
            if not inside:
                raise InputError(f"{source}: no file in it ends in {', '.join(PAGE_SUFFIXES)}")
            pages += inside
        elif source != "-" and not os.path.exists(source):
            raise InputError(
                f"{source}: no such file or folder; check the name (a web address starts with"
                " https://)"
            )
        else:
            path = Path(source)
            folder = path.absolute().parent.name or "pages"
            pages.append(PageName(source, _folder_host(path.parent), folder, PurePath(path.name)))
    return pages


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
