"""Makes a data set, our JSON lines, from the repository that it is published in."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import lzma
import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from public_sets import Hashes, PublicSet, clones, layouts, path_of
from tamis._runtime import storage
from tamis.errors import DatasetError, OutputError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.page.encoding import decode

Say = Callable[[str], None]
Progress = Callable[[int], None]

_CLONES = "clones"
_PRESET = 1  # packs ten times as fast as the usual 6, files are a quarter larger


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A data set that was made, which `NAME.json` beside it says, too."""

    name: str
    path: str
    repository: str
    commit: str | None
    """None if it was made from a folder that is no clone."""
    licence: str
    use: str
    pages: int
    hashes: Hashes
    matches: bool | None
    """Whether the hashes are those of the table; None if the table has none."""
    left_out: tuple[str, ...] = ()
    """Entries that could not be read."""
    new: bool = True
    """Whether it was made now, or was there already."""


def make(
    source: PublicSet,
    output: Path,
    *,
    origin: str | None = None,
    commit: str | None = None,
    again: bool = False,
    say: Say = lambda step: None,
    progress: Progress = lambda pages: None,
) -> Made:
    """Make a set in a data folder from `origin`: an address, a clone, or a folder with the files.

    A set that is there already is left alone, unless it is to be made `again`, from elsewhere or
    from another commit. The file appears when it is complete. If the table's hashes are known to be
    those of the repository, other ones are an error; else the result says so.
    """
    if source.not_made and origin is None:
        raise DatasetError(f"{source.name}: {source.not_made}")
    origin = origin or source.repository
    if origin is None:
        raise DatasetError(f"{source.name}: it is in no repository; give a folder with --from")
    wanted = commit or source.commit
    done = None if again else _done(source, output, origin, wanted)
    if done is not None:
        return done
    work = output / _CLONES / source.name
    files = work / "files"
    with storage.output_errors(work):
        work.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(files, ignore_errors=True)
    try:
        folder, taken = _files(source, origin, wanted, work, say)
        say("reading")
        made = _convert(source, folder, output, origin, taken, progress)
    finally:
        shutil.rmtree(files, ignore_errors=True)
    shutil.rmtree(work, ignore_errors=True)
    return made


def read_receipt(output: Path, name: str) -> Made | None:
    """What `NAME.json` says of a set that was made; None if there is none that can be read."""
    try:
        row = json.loads(_receipt(output, name).read_bytes())
        row["hashes"] = Hashes(**row["hashes"])
        row["left_out"] = tuple(row["left_out"])
        return Made(**row, new=False)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def hashes_of(examples: Iterable[Example]) -> Hashes:
    """What a set is known by, whatever the order of its pages.

    Of a page the ASCII characters count that are no white space, so that it does not matter how its
    encoding was found out; of the gold (text, snippets, expected Markdown) all but white space.
    """
    digests = _Digests()
    for example in examples:
        digests.add(example)
    return digests.hashes()


class _Digests:
    """Hashes of pages and their gold, one page at a time."""

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.golds: list[str] = []

    def add(self, example: Example) -> None:
        html = _html(example).encode("ascii", "ignore").decode()
        gold = (example.text, example.expected_markdown, *example.with_, "", *example.without)
        self.pages.append(_digest(example.id, html))
        self.golds.append(_digest(example.id, *(part or "" for part in gold)))

    def hashes(self) -> Hashes:
        return Hashes(pages=_digest(*sorted(self.pages)), gold=_digest(*sorted(self.golds)))


def _digest(*parts: str) -> str:
    joined = "\0".join("".join(part.split()) for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def _html(example: Example) -> str:
    if isinstance(example.html, str):
        return example.html
    return decode(example.html).source.decode("utf-8", "replace")


def _done(source: PublicSet, output: Path, origin: str, commit: str | None) -> Made | None:
    """What is there already, if it is what is asked for."""
    made = read_receipt(output, source.name)
    if made is None or not path_of(output, source.name).exists() or made.repository != origin:
        return None
    return made if commit in (None, made.commit) else None


def _files(
    source: PublicSet, origin: str, commit: str | None, work: Path, say: Say
) -> tuple[Path, str | None]:
    """The folder to read, and the commit that it is of."""
    files = work / "files"
    local = Path(origin).expanduser()
    if local.is_dir() and not clones.is_repository(local):
        folder, taken = _inside(local, source), None
        if any((folder / name).exists() for name in source.unpack):
            with storage.output_errors(files):
                shutil.copytree(folder, files)
            folder = files
    else:
        if local.is_dir():
            clone, taken = local, clones.resolve_commit(local, commit or "HEAD", about=origin)
        else:
            say(f"fetching {origin}")
            clone = work / "git"
            taken = clones.fetch_commit(origin, commit, clone)
        clones.write_files(clone, taken, source.folder, files)
        folder = _inside(files, source)
    for name in source.unpack:
        if (folder / name).exists():
            say(f"unpacking {name}")
            _unpack(folder / name, folder)
    return folder, taken


def _inside(folder: Path, source: PublicSet) -> Path:
    inside = folder / source.folder
    return inside if inside.is_dir() else folder


def _extract_files(tar: tarfile.TarFile, folder: Path) -> None:
    """Write the files of `tar`, and none of its links: no member can then lead out of `folder`.

    `TarFile.extractall(filter=...)` would do, but early versions of Python 3.11 do not have it.
    """
    for member in tar:
        path = (folder / member.name).resolve()
        if not path.is_relative_to(folder):
            raise tarfile.TarError(f"{member.name!r} would be written outside the folder")
        content = tar.extractfile(member) if member.isfile() else None
        if content:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                shutil.copyfileobj(content, file)


def _unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive of a repository; what would lead out of the folder is an error."""
    try:
        with tarfile.open(archive) as tar, storage.output_errors(folder):
            _extract_files(tar, folder.resolve())
    except OutputError as error:
        if isinstance(error.__cause__, tarfile.TarError):
            raise DatasetError(f"{archive.name}: {error.__cause__}; it is not unpacked") from error
        raise
    except (OSError, EOFError, tarfile.TarError) as error:
        raise DatasetError(
            f"{archive.name}: cannot be unpacked ({error}); the repository has changed, choose a"
            " commit with --commit"
        ) from error


def _convert(
    source: PublicSet,
    folder: Path,
    output: Path,
    origin: str,
    commit: str | None,
    progress: Progress,
) -> Made:
    errors: list[DatasetError] = []
    digests = _Digests()
    path = path_of(output, source.name)
    with storage.output_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    packer = lzma.LZMACompressor(preset=_PRESET)
    with storage.open_replacing(path) as file:
        for example in _examples(source, folder, errors):
            line = datasets.json_line(example).encode()
            with storage.output_errors(path):
                file.write(packer.compress(line))
            digests.add(example)
            progress(len(digests.pages))
        with storage.output_errors(path):
            file.write(packer.flush())
        made = _write_set(source, path, origin, commit, digests)
        left_out = tuple(str(error).replace(f"{folder}/", "") for error in errors)
        if not made.pages:
            first = f": {left_out[0]}" if left_out else ""
            raise DatasetError(f"{source.name}: {origin} has no page of it that can be read{first}")
        if made.matches is False and source.verified and commit == source.commit:
            raise DatasetError(f"{difference(source, made)}; it is not kept")
    made = dataclasses.replace(made, left_out=left_out)
    row = dataclasses.asdict(made)
    del row["new"]
    storage.write(_receipt(output, source.name), json.dumps(row, indent=1) + "\n")
    return made


def _write_set(
    source: PublicSet, path: Path, origin: str, commit: str | None, digests: _Digests
) -> Made:
    hashes = digests.hashes()
    return Made(
        name=source.name,
        path=str(path),
        repository=origin,
        commit=commit,
        licence=source.licence,
        use=source.use,
        pages=len(digests.pages),
        hashes=hashes,
        matches=None if source.hashes is None else source.hashes == hashes,
    )


def _examples(source: PublicSet, folder: Path, errors: list[DatasetError]) -> Iterator[Example]:
    """The pages of the set as text, under its name; what cannot be read goes to `errors`."""
    wanted = frozenset(source.ids)
    for example in layouts.read(folder, on_error=errors.append):
        if not wanted or example.id in wanted:
            yield dataclasses.replace(example, html=_html(example), dataset=source.name)


def difference(source: PublicSet, made: Made) -> str:
    """How a result differs from what the table says, in one line."""
    assert source.hashes is not None
    parts = [f"{made.pages:,} pages, not {source.pages:,}"] if made.pages != source.pages else []
    parts += ["other pages"] if made.hashes.pages != source.hashes.pages else []
    parts += ["other gold"] if made.hashes.gold != source.hashes.gold else []
    return f"{source.name}: not what our figures are of: {', '.join(parts)}"


def _receipt(output: Path, name: str) -> Path:
    return output / datasets.DATASETS / f"{name}.json"
