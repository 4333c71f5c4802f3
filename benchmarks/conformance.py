"""How closely the scanner follows the HTML standard.

    python benchmarks/conformance.py tokenizer     the html5lib tokenizer tests
    python benchmarks/conformance.py pages         every page of the data sets, against a
                                                   conforming parser (turbohtml)

Both need the shared folder (`--shared`, default ../shared beside the repository). The second
compares the sequence of visible words, and for each block the chain of block-level tags around
it. Writes benchmarks/results/conformance-*.json. With `--gate` nothing is written and the exit
code is 1 if a figure is below its floor in benchmarks/floors.json.
"""

from __future__ import annotations

import difflib
import json
import lzma
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import script
import turbohtml

import tamis
from tamis.page import tags
from tamis.page.scan.lexer import Lexer
from tamis.page.text.references import resolve_references

OPTIONS = tamis.Options(max_depth=100_000, max_seconds=600)

# --- the tokenizer tests ---------------------------------------------------------------------

RAW_STATES = {"RCDATA state": True, "RAWTEXT state": False, "Script data state": False}


def text_of(raw: bytes, *, references: bool = True, nul: str = "\ufffd") -> str:
    """Text as the tokenizer emits it."""
    text = raw.decode("utf-8", "surrogatepass").replace("\0", nul)
    return resolve_references(text) if references else text


def our_tokens(source: bytes, state: str, last_start_tag: str | None) -> list[list[Any]]:
    """What our lexer reads, in the form of the tests."""
    lexer, i = Lexer(source), 0
    tokens: list[list[Any]] = []

    def characters(text: str) -> None:
        if tokens and tokens[-1][0] == "Character":
            tokens[-1][1] += text
        elif text:
            tokens.append(["Character", text])

    if state == "PLAINTEXT state":
        characters(text_of(source, references=False))
        return tokens
    if state == "CDATA section state":
        end = source.find(b"]]>")
        characters(text_of(source if end < 0 else source[:end], references=False, nul="\0"))
        i = len(source) if end < 0 else end + 3
    elif state in RAW_STATES:
        i = len(source)
        if last_start_tag or state == "Script data state":
            name = (last_start_tag or "script").encode()
            i = lexer.end_of_raw_text(0, name, len(source)) if last_start_tag else len(source)
        characters(text_of(source[:i], references=RAW_STATES[state]))

    pending = i  # text is collected raw, so that a reference is never cut in two
    while i < len(source):
        if source[i : i + 1] != b"<":
            i = source.find(b"<", i) if b"<" in source[i:] else len(source)
            continue
        kind, end, name, self_closing, data = lexer.read(i)
        if kind != 1:
            characters(text_of(source[pending:i], nul="\0"))
            pending = end
        if kind == 2:
            pairs, _ = lexer.attribute_list(i)
            attributes: dict[str, str] = {}
            for key, value in pairs:
                attributes.setdefault(
                    text_of(key, references=False),
                    resolve_references(text_of(value, references=False), attribute=True),
                )
            tag: list[Any] = ["StartTag", text_of(name, references=False), attributes]
            tokens.append([*tag, True] if self_closing else tag)
        elif kind == 3:
            tokens.append(["EndTag", text_of(name, references=False)])
        elif kind == 4:
            tokens.append(["Comment", text_of(data, references=False)])
        elif kind == 5:
            tokens.append(["DOCTYPE"])
        i = end
    characters(text_of(source[pending:], nul="\0"))
    return tokens


def unescaped(thing: Any) -> Any:
    """Undo the double escaping of some tests."""
    if isinstance(thing, str):
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), thing)
    if isinstance(thing, list):
        return [unescaped(item) for item in thing]
    if isinstance(thing, dict):
        return {unescaped(key): unescaped(value) for key, value in thing.items()}
    return thing


def run_tokenizer(shared: Path) -> dict[str, Any]:
    """Run all tokenizer tests."""
    passed, failed = Counter[str](), []
    for path in sorted((shared / "html5lib-tests" / "tokenizer").glob("*.test")):
        content = json.loads(path.read_text("utf-8"))
        for test in content.get("tests", []):
            if test.get("doubleEscaped"):
                test = unescaped(test)
            source = test["input"].replace("\r\n", "\n").replace("\r", "\n")
            expected = [token[:1] if token[0] == "DOCTYPE" else token for token in test["output"]]
            for state in test.get("initialStates", ["Data state"]):
                got = our_tokens(
                    source.encode("utf-8", "surrogatepass"), state, test.get("lastStartTag")
                )
                if got == expected:
                    passed[path.name] += 1
                    continue
                failed.append([path.name, test["description"], state, source, expected, got])
    total = sum(passed.values())
    print(f"{total} of {total + len(failed)} pass ({total / (total + len(failed)):.2%})")
    for row in failed:
        print("  failed:", *map(ascii, row))
    return {
        "passed": total,
        "failed": len(failed),
        "by_file": dict(sorted(passed.items())),
        "share": total / (total + len(failed)),
    }


# --- the pages ----------------------------------------------------------------------------------

HIDING = re.compile(r"display:none|visibility:hidden")
SHOWS_NOTHING = frozenset(
    [
        "audio",
        "canvas",
        "datalist",
        "desc",
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "rp",
        "script",
        "style",
        "template",
        "title",
        "video",
    ]
)
BLOCK_TAGS = {
    name for name, traits in zip(tags.NAMES, tags.TRAITS, strict=True) if traits & tags.BLOCK
}

# What may lack its end tag and is ended before the end of the page.
ENDLESS = [
    tags.ID[name]
    for name in (
        "iframe",
        "noembed",
        "noframes",
        "noscript",
        "script",
        "style",
        "textarea",
        "title",
    )
]

# Soft hyphens, byte order marks, control characters: nothing to see.
INVISIBLE = re.compile("[\0-\x08\x0e-\x1f\x7f\xad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def visible_words(text: str) -> list[str]:
    """The words of a text, without invisible characters."""
    return INVISIBLE.sub("", text).split()


def is_hidden(name: str, attributes: Any) -> bool:
    """Whether a browser shows nothing of an element."""
    if name in SHOWS_NOTHING or "hidden" in attributes:
        return True
    if name == "dialog" and "open" not in attributes:
        return True
    style = attributes.get("style")
    return bool(style and HIDING.search(re.sub(r"\s", "", style.lower())))


def reference_words(html: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Visible words by a conforming parser, and the block-level tags around each."""
    document = turbohtml.parse(
        html, positions=False, scripting=True, allow_declarative_shadow_roots=False
    )
    pieces: list[str] = []
    words: list[str] = []
    chains: list[tuple[str, ...]] = []
    chain: tuple[str, ...] = ()

    def flush() -> None:
        shown = visible_words("".join(pieces))
        words.extend(shown)
        chains.extend([chain] * len(shown))
        pieces.clear()

    # (node, chain to go back to when its end is reached)
    stack: list[tuple[Any, tuple[str, ...] | None]] = [(document.root, None)]
    while stack:
        node, back = stack.pop()
        if back is not None:
            flush()
            chain = back
            continue
        if isinstance(node, turbohtml.Text):
            pieces.append(node.data)
            continue
        if not isinstance(node, turbohtml.Element):
            continue
        name = node.tag
        if name == "br":
            pieces.append("\n")
        html_element = node.namespace is turbohtml.Namespace.HTML
        hidden = is_hidden(name, node.attrs)
        if name in BLOCK_TAGS and html_element:
            flush()
            if not hidden:
                stack.append((None, chain))
                chain = (*chain, name)
        if not hidden:
            stack.extend((child, None) for child in reversed(node.children))
    flush()
    return words, chains


def our_words(page: tamis.Page) -> tuple[list[str], list[tuple[str, ...]], list[int]]:
    """Visible words by our table, the chain around each, and where each block begins."""
    parents, names = page.nodes.parent.tolist(), [page.tag_name(i) for i in range(len(page.nodes))]
    chains: dict[int, tuple[str, ...]] = {-1: ()}
    traits, node_tags = tags.TRAITS, page.nodes.tag.tolist()
    foreign = (page.nodes.flags & tags.FOREIGN).tolist()
    for node, parent in enumerate(parents):
        tag = node_tags[node]
        block = tag < len(traits) and traits[tag] & tags.BLOCK and not foreign[node]
        chains[node] = (*chains[parent], names[node]) if block else chains[parent]
    words: list[str] = []
    around: list[tuple[str, ...]] = []
    starts: list[int] = []
    visible = (page.blocks.flags & tags.HIDDEN == 0).nonzero()[0]
    for node, text in zip(
        page.blocks.node[visible].tolist(), page.block_texts(visible), strict=True
    ):
        shown = visible_words(text)
        if shown:
            starts.append(len(words))
            words.extend(shown)
            around.extend([chains[node]] * len(shown))
    return words, around, starts


def with_ends(page: tamis.Page) -> str | None:
    """The page with the end tags that its raw text elements lack, None if they lack none.

    By the standard the rest of the page is inside of them; we end them earlier
    (docs/explanation/decisions/012-raw-text-without-end.md), and so must the reference.
    """
    places = []
    for node in np.flatnonzero(np.isin(page.nodes.tag, ENDLESS)).tolist():
        close = int(page.nodes.close[node])
        end_tag = b"</" + page.tag_name(node).encode()
        if close < len(page.source) and end_tag not in page.source[close:].lower():
            places.append((close, end_tag + b">"))
    if not places:
        return None
    parts, done = [], 0
    for close, end_tag in places:
        parts += [page.source[done:close], end_tag]
        done = close
    return b"".join([*parts, page.source[done:]]).decode()


def compare(row: tuple[str, str, str]) -> dict[str, Any]:
    """One page: words that differ, blocks whose chain differs."""
    name, identity, html = row
    page = tamis.parse(html, options=OPTIONS)
    theirs, their_chains = reference_words(with_ends(page) or html)
    ours, our_chains, starts = our_words(page)
    partner: dict[int, int] = {}
    differing, first = 0, ""
    if ours == theirs:
        partner = {start: start for start in starts}
    else:
        matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
        for kind, a, b, c, d in _opcodes(matcher, ours, theirs):
            if kind == "equal":
                partner.update(zip(range(a, b), range(c, d), strict=True))
            else:
                differing += max(b - a, d - c)
                first = first or f"{' '.join(ours[a:b])[:80]!r} | {' '.join(theirs[c:d])[:80]!r}"
    wrong = [
        (our_chains[start], their_chains[partner[start]] if start in partner else None)
        for start in starts
        if start not in partner or our_chains[start] != their_chains[partner[start]]
    ]
    return {
        "set": name,
        "id": identity,
        "words": len(theirs),
        "differing": differing,
        "first": first,
        "blocks": len(starts),
        "wrong_blocks": len(wrong),
        "wrong": [[list(a), list(b) if b else None] for a, b in wrong[:1]],
    }


def _opcodes(
    matcher: difflib.SequenceMatcher[str], ours: list[str], theirs: list[str]
) -> list[tuple[str, int, int, int, int]]:
    """Opcodes of the part that differs: the common beginning and end are cut off first."""
    begin = 0
    shorter = min(len(ours), len(theirs))
    while begin < shorter and ours[begin] == theirs[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    a, b = ours[begin : len(ours) - end], theirs[begin : len(theirs) - end]
    matcher.set_seqs(a, b)
    middle = [
        (kind, i + begin, j + begin, k + begin, m + begin)
        for kind, i, j, k, m in matcher.get_opcodes()
    ]
    return [
        ("equal", 0, begin, 0, begin),
        *middle,
        ("equal", len(ours) - end, len(ours), len(theirs) - end, len(theirs)),
    ]


def dataset_pages(shared: Path, names: list[str]) -> Iterator[tuple[str, str, str]]:
    """All pages of the data sets."""
    for path in sorted((shared / "datasets").glob("*.jsonl.xz")):
        name = path.name.removesuffix(".jsonl.xz")
        if names and name not in names:
            continue
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield name, str(row["id"]), row["html"]


def run_pages(shared: Path, names: list[str], workers: int, worst: int) -> dict[str, Any]:
    """Compare all pages with the conforming parser."""
    pages = list(dataset_pages(shared, names))
    with (
        multiprocessing.Pool(workers) as pool,
        click.progressbar(
            pool.imap_unordered(compare, pages, 8), len(pages), label="pages"
        ) as done,
    ):
        rows = list(done)
    summary: dict[str, Any] = {}
    print("| set | pages | pages with identical words | same words | blocks | same chains |")
    print("|---|---|---|---|---|---|")
    for name in [*sorted({row["set"] for row in rows}), "all"]:
        chosen = [row for row in rows if name in ("all", row["set"])]
        words, blocks = (sum(row[key] for row in chosen) for key in ("words", "blocks"))
        summary[name] = {
            "pages": len(chosen),
            "identical": sum(not row["differing"] for row in chosen) / len(chosen),
            "same_words": 1 - sum(row["differing"] for row in chosen) / max(1, words),
            "blocks": blocks,
            "chains": 1 - sum(row["wrong_blocks"] for row in chosen) / max(1, blocks),
        }
        line = "| {} | {pages} | {identical:.2%} | {same_words:.4%} | {blocks} | {chains:.2%} |"
        print(line.format(name, **summary[name]))
    for key in ("differing", "wrong_blocks"):
        print(f"worst by {key}:")
        for row in sorted(rows, key=lambda row: -row[key])[:worst]:
            if not row[key]:
                break
            example = row["first"] if key == "differing" else row["wrong"]
            print("  ", row["set"], row["id"], row[key], example)
    return summary


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("what", choices=("tokenizer", "pages"))
    parser.add_argument("--sets", nargs="*", default=[], help="only these data sets")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--worst", type=int, default=20, help="how many worst pages to list")
    parser.add_argument("--gate", action="store_true", help="compare with the floors")
    arguments = parser.parse_args()
    if arguments.what == "tokenizer":
        result = run_tokenizer(arguments.shared)
    else:
        result = run_pages(arguments.shared, arguments.sets, arguments.workers, arguments.worst)
    if arguments.gate:
        below = below_floor(arguments.what, result)
        for line in below:
            print(f"below the floor: {line}")
        sys.exit(bool(below))
    out = script.RESULTS / f"conformance-{arguments.what}.json"
    if not arguments.sets:
        script.write(out, result)


def below_floor(what: str, result: dict[str, Any]) -> list[str]:
    """The figures that are below their floors."""
    content = json.loads((script.RESULTS.parent / "floors.json").read_text("utf-8"))
    floors = content["conformance"]
    measured = result if what == "tokenizer" else result["all"]
    return [
        f"{what} {name}: {measured[name]:.6f}, the floor is {floor}"
        for name, floor in floors[what].items()
        if measured[name] < floor
    ]


if __name__ == "__main__":
    main()
