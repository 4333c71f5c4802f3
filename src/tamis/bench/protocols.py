"""How methods that are fitted to the pages of one site are measured: the protocols of the papers.

`same`: fitted to all pages of a site, scored on the same pages. `half`: fitted to one half of the
pages, scored on the other, both ways round; which half a page is in follows from its id. Gold is
never learned from. Only sites with enough pages take part, and every contestant of the bench gets
exactly their pages: `sets_of_sites` writes them down as sets of their own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from tamis.bench.contestants import Contestant, Extractor, make_contestant
from tamis.bench.rivals import as_text
from tamis.errors import DatasetError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.method_choices import find_class, is_model
from tamis.methods._shared.site_method import SiteMethod
from tamis.options import DEFAULT_METHOD
from tamis.page.addresses import find_host
from tamis.site.model import Site

Protocol = Literal["same", "half"]

SITE_MODEL = "site"
"""The name of the site model, `tamis.Site`, among the methods that are fitted."""

LEAST_PAGES = 6
"""Pages that a site needs: with `half` three are learned from."""

T = TypeVar("T")
_SiteKey = tuple[str, str]


def is_fitted_to_sites(name: str) -> bool:
    """Whether a method needs pages of a site before it can score one."""
    if name == SITE_MODEL or is_model(name):
        return name == SITE_MODEL
    return issubclass(find_class(name), SiteMethod)


def split_pages(
    protocol: Protocol, pages: Sequence[T], id_of: Callable[[T], str]
) -> list[tuple[Sequence[T], Sequence[T]]]:
    """The pages of a site as pairs: those that are learned from, and those that are scored."""
    if protocol == "same":
        return [(pages, pages)]
    ordered = sorted(pages, key=lambda page: datasets.hash_of(id_of(page)))
    first, second = ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]
    return [(first, second), (second, first)]


# --- the pages of sites ---------------------------------------------------------------------


@contextlib.contextmanager
def sets_of_sites(
    paths: Iterable[str | Path],
    *,
    folder: Path | None = None,
    least: int = LEAST_PAGES,
    sample: int | None = None,
    keep_going: bool = False,
    on_error: datasets.OnError | None = None,
) -> Iterator[list[Path]]:
    """The sets without the pages of small sites; a set that has no other is left out.

    A site is what the field `site` says, or else the host of the address, within one split.
    `sample` takes whole sites, by the hash of their names, until they have that many pages. The
    files stay in `folder`, or are gone at the end without one.
    """
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tamis-sites-")))
        examples = partial(datasets.read, keep_going=keep_going, on_error=on_error)
        files = [_set_of_sites(path, examples, folder, least, sample) for path in paths]
        chosen = [file for file in files if file is not None]
        if not chosen:
            raise DatasetError(f"no site of these sets has {least} pages or more")
        yield chosen


def _set_of_sites(
    path: str | Path,
    examples: Callable[[str | Path], Iterator[Example]],
    folder: Path,
    least: int,
    sample: int | None,
) -> Path | None:
    counts = Counter(site for site in map(_site_of, examples(path)) if site is not None)
    sites: set[_SiteKey] = set()
    pages = 0
    for site in sorted(counts, key=lambda site: datasets.hash_of("\0".join(site))):
        if counts[site] >= least and (sample is None or pages < sample):
            sites.add(site)
            pages += counts[site]
    if not sites:
        return None
    lines = "".join(
        _write_line(page) for page in examples(path) if _site_of(page) in sites
    ).encode()
    # The content names the file, so that what is remembered of it is never of another one.
    target = folder / hashlib.sha256(lines).hexdigest()[:16] / f"{datasets.name_of(path)}.jsonl"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(lines)
    return target


def _site_of(example: Example) -> _SiteKey | None:
    site = example.site or find_host(example.url or "")
    return (site, example.split or "") if site else None


def _write_line(example: Example) -> str:
    row = {name: value for name, value in asdict(example).items() if value}
    row |= {"html": as_text(example.html), "with": row.pop("with_", ())}
    return json.dumps(row) + "\n"


def sites_in(path: Path) -> Iterator[list[Example]]:
    """The pages of each site of a set that `sets_of_sites` gave."""
    sites: dict[_SiteKey | None, list[Example]] = {}
    for example in datasets.read(path):
        sites.setdefault(_site_of(example), []).append(example)
    yield from sites.values()


# --- fitted contestants ---------------------------------------------------------------------


def make_fitted(
    name: str, parameters: Mapping[str, Any], protocol: Protocol, sets: Sequence[Path]
) -> Contestant:
    """A method that the protocol fits to the sites of `sets`, which `sets_of_sites` gave."""
    made = make_contestant("tamis" if name == SITE_MODEL else name, parameters)
    text, values = made.arguments
    if name == SITE_MODEL:
        made = replace(made, name=SITE_MODEL + made.name.removeprefix(text))
        text = SITE_MODEL
    return Contestant(
        f"{made.name} ({protocol})",
        f"{__name__}:load_fitted",
        (text, values, protocol, tuple(map(str, sets))),
        made.version,
        ours=True,
    )


def load_fitted(
    name: str, parameters: Iterable[tuple[str, Any]], protocol: Protocol, sets: Sequence[str]
) -> Extractor:
    """The extractor that knows for each page of the sets which others it may learn from."""
    learned: dict[str, tuple[str, ...]] = {}
    for path in sets:
        for site in sites_in(Path(path)):
            for known, scored in split_pages(protocol, site, lambda example: example.id):
                pages = tuple(as_text(example.html) for example in known)
                learned |= {as_text(example.html): pages for example in scored}
    remembered = lru_cache(maxsize=4)(lambda pages: fit(name, dict(parameters), pages))
    return lambda page: remembered(learned[as_text(page)])(page)


def fit(name: str, parameters: Mapping[str, Any], pages: Iterable[str | bytes]) -> Extractor:
    """What a method of this name extracts once it has learned from the pages."""
    method = DEFAULT_METHOD if name == SITE_MODEL else name
    site = Site().fit(pages, method=method, parameters=parameters)
    return lambda page: site.extract(page).text
