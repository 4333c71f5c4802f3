"""Do two checkouts give the same output for every page of the data sets, byte for byte?

    python benchmarks/same_outputs.py ../before .                    all sets, all views
    python benchmarks/same_outputs.py ../before . --only big9 --sample 50
    python benchmarks/same_outputs.py ../before . --only big9 --show 3      the first differences

Each checkout runs in a process of its own, with its own `src` on the path, and prints one digest
per page and view: text, Markdown, HTML, the document and the blocks of `to_dict`, metadata, page
type, comments. The pages whose digests differ are listed by set and view. A change that mends
a defect changes pages on purpose: list these pages with the reason in the note of the change.
Both checkouts must be built in place (`python setup.py build_ext --inplace`).
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import lzma
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VIEWS = ("text", "markdown", "html", "document", "blocks", "metadata", "page_types", "comments")


def pages(shared: Path, only: list[str], sample: int | None) -> Iterator[dict[str, Any]]:
    """The pages of the data sets."""
    for path in sorted((shared / "datasets").glob("*.jsonl.xz")):
        if only and path.name.partition(".")[0] not in only:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, islice(lines, sample))


def views(result: Any) -> dict[str, str]:
    """The outputs of one page as strings, without the names that only changed their spelling."""
    values = result.to_dict()
    blocks = [
        {("kept" if name == "label" else name): value for name, value in block.items()}
        for block in values["blocks"]
    ]
    return {
        "text": result.text,
        "markdown": result.markdown,
        "html": result.html,
        "document": json.dumps(values["document"]),
        "blocks": json.dumps(blocks, sort_keys=True),
        "metadata": json.dumps(values["metadata"]),
        "page_types": json.dumps([values["page_types"], values["items"], values["embedded"]]),
        "comments": result.comments,
    }


def print_views(shared: Path, only: list[str], sample: int | None, page_id: str | None) -> None:
    """In the process of a checkout: one line per page, the digests or the views of one page."""
    import tamis

    for page in pages(shared, only, sample):
        if page_id is not None and page["id"] != page_id:
            continue
        try:
            outputs = views(tamis.extract(page["html"], url=page.get("url")))
        except tamis.TamisError as error:
            outputs = dict.fromkeys(VIEWS, f"{type(error).__name__}: {error}")
        if page_id is None:
            outputs = {
                name: hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
                for name, text in outputs.items()
            }
        print(json.dumps([page["dataset"], page["id"], outputs]), flush=True)


def run(checkout: Path, arguments: list[str]) -> subprocess.Popen[str]:
    """Start the process of a checkout."""
    source = (checkout / "src").resolve()
    code = f"import sys; sys.path[:0] = [{str(source)!r}, {str(ROOT / 'benchmarks')!r}]"
    return subprocess.Popen(
        [sys.executable, "-c", f"{code}; import same_outputs; same_outputs.main()", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )


def answers(checkouts: list[Path], arguments: list[str]) -> Iterator[list[Any]]:
    """What both checkouts say about each page."""
    processes = [run(checkout, [*arguments, "--print"]) for checkout in checkouts]
    streams = [process.stdout for process in processes]
    assert streams[0] is not None
    assert streams[1] is not None
    for lines in zip(*streams, strict=True):
        yield [json.loads(line) for line in lines]
    for process in processes:
        if process.wait():
            raise SystemExit("a checkout failed; its message is above")


def main() -> None:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="BEFORE AFTER")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--only", action="append", default=[], metavar="SET")
    parser.add_argument("--sample", type=int, metavar="PAGES", help="first pages of each set")
    parser.add_argument("--show", type=int, default=0, metavar="PAGES", help="print differences")
    parser.add_argument("--print", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--page", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.print:
        print_views(asked.shared, asked.only, asked.sample, asked.page)
        return
    if len(asked.checkouts) != 2:
        parser.error("give two checkouts")
    arguments = [f"--shared={asked.shared.resolve()}", *(f"--only={name}" for name in asked.only)]
    if asked.sample:
        arguments.append(f"--sample={asked.sample}")
    count = 0
    changed: dict[tuple[str, str], list[str]] = {}
    for (dataset, page, before), (_, _, after) in answers(asked.checkouts, arguments):
        count += 1
        for view in VIEWS:
            if before[view] != after[view]:
                changed.setdefault((dataset, page), []).append(view)
    for (dataset, page), outputs in changed.items():
        print(f"{dataset:18} {page:50} {' '.join(outputs)}")
    print(f"{count:,} pages, {len(changed):,} differ")
    for dataset, page in islice(changed, asked.show):
        wanted = [arguments[0], f"--only={dataset}", f"--page={page}"]
        ((_, _, before), (_, _, after)) = next(answers(asked.checkouts, wanted))
        for view in changed[dataset, page]:
            old, new = (
                outputs[view].replace(', "', ',\n"').splitlines() for outputs in (before, after)
            )
            print(f"--- {dataset} {page} {view}")
            print("\n".join(islice(difflib.unified_diff(old, new, lineterm="", n=1), 40)))
    sys.exit(bool(changed))


if __name__ == "__main__":
    main()
