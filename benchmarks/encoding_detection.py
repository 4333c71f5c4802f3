"""How well encodings are found: the html5lib tests, and pages re-encoded under any declaration.

    python benchmarks/encoding_detection.py [--shared DIR] [--pages N]

Three parts. First the html5lib encoding tests, which hold `tamis.page.encoding` to the HTML
standard. Then pages of the data sets, re-encoded in legacy encodings with every declaration
removed, and short passages cut from them: which of turbohtml's detector and charset-normalizer
gives the text back? Last the same under declarations, right ones and wrong ones (`DECLARED`): does
tamis give the text back, where a browser would believe them? What counts is the decoded text, not
the label. Prints Markdown, writes `benchmarks/results/encoding_detection.json`;
docs/explanation/decisions/003-encoding-detection.md draws on it."""

from __future__ import annotations

import argparse
import html
import json
import lzma
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import script
import turbohtml.detect
from charset_normalizer import from_bytes

from tamis.page.encoding import decode

RESULTS = script.RESULTS / "encoding_detection.json"
MIN_LETTERS = 30
PASSAGE_CHARACTERS = 300
PASSAGES_PER_PAGE = 20

DECLARATION = re.compile(r"<meta[^>]*charset[^>]*>|<\?xml[^>]*\?>", re.IGNORECASE)
ASCII = re.compile(r"[\0-\x7f]+")
C1 = re.compile(r"[\x80-\x9f]")
MARKUP = re.compile(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>")
TAGS = re.compile(rb"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>")


@dataclass(frozen=True)
class Charset:
    """An encoding under test, and the letters that a page must have to be written in it."""

    label: str
    codec: str
    """Python's codec, which encodes; the WHATWG decoder of the label gives the expected text."""
    letters: str
    """A character class; at least `MIN_LETTERS` of a page must be in it."""
    share: float
    """The least share of the page's non-ASCII letters that are in `letters`."""
    only: str = ""
    """A codec that must cover the Han characters: tells simplified from traditional Chinese."""


CYRILLIC, ARABIC, GREEK = "[\u0400-\u04ff]", "[\u0600-\u06ff]", "[\u0370-\u03ff]"
THAI, HEBREW, HANGUL = "[\u0e00-\u0e7f]", "[\u0590-\u05ff]", "[\uac00-\ud7a3]"
KANA, HAN = "[\u3040-\u30ff]", "[\u4e00-\u9fff]"
WESTERN = "[\u00c0-\u00ff]"
CENTRAL = "[ąćęłńśźżčďěňřšťůžőűășțşţĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰĂȘȚŞŢ]"
BALTIC = "[āēīķļņģėįųĀĒĪĶĻŅĢĖĮŲ]"
TURKISH = "[ğışĞİŞ]"

CHARSETS = (
    Charset("windows-874", "cp874", THAI, 0.3),
    Charset("tis-620", "tis_620", THAI, 0.3),
    Charset("shift_jis", "cp932", KANA, 0.3),
    Charset("euc-jp", "euc_jp", KANA, 0.3),
    Charset("iso-2022-jp", "iso2022_jp", KANA, 0.3),
    Charset("gb18030", "gb18030", HAN, 0.3, only="gb2312"),
    Charset("big5", "cp950", HAN, 0.3, only="big5"),
    Charset("euc-kr", "cp949", HANGUL, 0.3),
    Charset("windows-1251", "cp1251", CYRILLIC, 0.3),
    Charset("koi8-r", "koi8_r", CYRILLIC, 0.3),
    Charset("iso-8859-5", "iso8859_5", CYRILLIC, 0.3),
    Charset("ibm866", "cp866", CYRILLIC, 0.3),
    Charset("windows-1252", "cp1252", WESTERN, 0.1),
    Charset("iso-8859-1", "latin_1", WESTERN, 0.1),
    Charset("iso-8859-15", "iso8859_15", WESTERN, 0.1),
    Charset("macintosh", "mac_roman", WESTERN, 0.1),
    Charset("windows-1250", "cp1250", CENTRAL, 0.1),
    Charset("iso-8859-2", "iso8859_2", CENTRAL, 0.1),
    Charset("iso-8859-9", "cp1254", TURKISH, 0.1),
    Charset("windows-1257", "cp1257", BALTIC, 0.1),
    Charset("iso-8859-13", "iso8859_13", BALTIC, 0.1),
    Charset("iso-8859-4", "iso8859_4", BALTIC, 0.1),
    Charset("windows-1253", "cp1253", GREEK, 0.3),
    Charset("iso-8859-7", "iso8859_7", GREEK, 0.3),
    Charset("windows-1255", "cp1255", HEBREW, 0.3),
    Charset("iso-8859-8", "iso8859_8", HEBREW, 0.3),
    Charset("windows-1256", "cp1256", ARABIC, 0.3),
    Charset("iso-8859-6", "iso8859_6", ARABIC, 0.3),
    Charset("utf-16le", "utf_16_le", "[\u00c0-\uffff]", 0.1),
    Charset("utf-16be", "utf_16_be", "[\u00c0-\uffff]", 0.1),
)


@dataclass(frozen=True)
class Sample:
    """Bytes in a known encoding, and the text they stand for."""

    origin: str
    data: bytes
    text: str


# The html5lib tests


def read_cases(path: Path) -> Iterator[tuple[bytes, str]]:
    """Yield the data and the expected encoding of each case of an html5lib encoding file."""
    for case in path.read_bytes().split(b"#data\n")[1:]:
        data, _, expected = case.partition(b"\n#encoding\n")
        yield data, expected.split(b"\n")[0].decode().strip().lower()


def run_html5lib(folder: Path) -> dict[str, dict[str, int]]:
    """Check `decode` against every case below `folder`; print the failures, return the counts.

    The tests call a page that declares nothing windows-1252, the standard's last resort. We look
    at its bytes instead, so any answer that no declaration gave counts as theirs.
    """
    counts = {}
    print("## html5lib encoding tests\n")
    for path in sorted(folder.glob("*.dat")):
        passed = total = 0
        for data, expected in read_cases(path):
            decoded = decode(data)
            declared = decoded.origin in ("bom", "meta")
            total += 1
            if (decoded.encoding if declared else "windows-1252") == expected:
                passed += 1
            else:
                shown = data if len(data) < 120 else data[:60] + b" ... " + data[-60:]
                print(f"- {path.name}: {shown!r}: expected {expected}, got {decoded.encoding}")
        counts[path.name] = {"passed": passed, "total": total}
        print(f"- {path.name}: {passed} of {total}")
    print()
    return counts


# The material


def read_pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and HTML, without declarations, of every page that is not nearly ASCII.

    A page with C1 control characters was decoded wrongly when it was collected; it is left out.
    """
    for path in sorted(folder.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                page = json.loads(line)
                source = DECLARATION.sub("", page["html"].replace("\ufffd", ""))
                if len(ASCII.sub("", source)) >= MIN_LETTERS and not C1.search(source):
                    yield f"{page['dataset']}/{page['id']}", source


def late_declarations(folder: Path) -> dict[str, int]:
    """Count the pages that declare an encoding other than UTF-8, and how far into the page.

    In characters of the decoded page, and by a loose pattern: a declaration in a comment counts.
    """
    pattern = re.compile(r"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
    counts = {"legacy": 0, "after 1,024": 0, "after 65,536": 0}
    for path in sorted(folder.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                declaration = pattern.search(json.loads(line)["html"])
                if declaration and declaration[1].lower() not in ("utf-8", "utf8"):
                    counts["legacy"] += 1
                    counts["after 1,024"] += declaration.end() > 1024
                    counts["after 65,536"] += declaration.end() > 65536
    return counts


def passages(source: str) -> list[str]:
    """Cut the visible text of a page into small pages of one paragraph each."""
    text = " ".join(html.unescape(MARKUP.sub(" ", source)).split())
    last = len(text) - PASSAGE_CHARACTERS
    pieces = (text[i : i + PASSAGE_CHARACTERS] for i in range(0, last + 1, PASSAGE_CHARACTERS))
    return [
        f"<html><head><title>{html.escape(piece[:40])}</title></head>"
        f"<body><h1>{html.escape(piece[:40])}</h1><p>{html.escape(piece)}</p></body></html>"
        for piece in pieces
        if len(ASCII.sub("", piece)) >= 5
    ]


def fits(counts: Counter[str], charset: Charset, least: int, coverage: float) -> bool:
    """Say whether text with these non-ASCII characters would have been written in `charset`."""
    letters = Counter({c: n for c, n in counts.items() if c.isalpha() or "\u0e00" <= c <= "\u0e7f"})
    wanted = re.compile(charset.letters)
    hits = sum(n for c, n in letters.items() if wanted.match(c))
    if hits < least or hits < charset.share * letters.total():
        return False
    if charset.only:
        if any("\u3040" <= c <= "\u30ff" for c in letters):
            kana = sum(n for c, n in letters.items() if "\u3040" <= c <= "\u30ff")
            if kana > 0.05 * hits:
                return False
        covered = sum(
            n for c, n in letters.items() if wanted.match(c) and c.encode(charset.only, "ignore")
        )
        if covered < 0.98 * hits:
            return False
    written = sum(n for c, n in letters.items() if c.encode(charset.codec, "ignore"))
    return written >= coverage * letters.total()


def encode(origin: str, source: str, charset: Charset) -> Sample | None:
    """Write `source` in `charset`; None if that loses text or could as well be read as UTF-8.

    The few characters that the encoding lacks become character references, as authors wrote them.
    """
    data = source.encode(charset.codec, "xmlcharrefreplace")
    if charset.label.startswith("utf-16"):
        return Sample(origin, data, source)
    text = data.decode(f"whatwg-{charset.label}")
    if "\ufffd" in text or (charset.label != "iso-2022-jp" and is_utf8(data)):
        return None
    return Sample(origin, data, text)


def is_utf8(data: bytes) -> bool:
    """Say whether `data` is valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def collect(folder: Path, limit: int) -> dict[str, dict[str, list[Sample]]]:
    """Return the samples of every charset: whole pages and short passages, `limit` of each."""
    whole: dict[str, list[tuple[str, str]]] = {c.label: [] for c in CHARSETS}
    short: dict[str, list[tuple[str, str]]] = {c.label: [] for c in CHARSETS}
    for origin, source in read_pages(folder):
        counts = Counter(ASCII.sub("", source))
        pieces = [(p, Counter(ASCII.sub("", p))) for p in passages(source)]
        for charset in CHARSETS:
            if fits(counts, charset, MIN_LETTERS, 0.98):
                whole[charset.label].append((origin, source))
            # A third of a passage in a foreign script, or a handful of accents in a Latin one.
            least = PASSAGE_CHARACTERS // 3 if charset.share > 0.1 else 5
            if charset.letters == KANA:
                least = PASSAGE_CHARACTERS // 6
            fitting = [p for p, c in pieces if fits(c, charset, least, 1.0)]
            short[charset.label] += [(origin, p) for p in fitting[:PASSAGES_PER_PAGE]]
    material = {}
    for charset in CHARSETS:
        material[charset.label] = {
            "pages": draw(whole[charset.label], charset, limit),
            "passages": draw(short[charset.label], charset, limit),
        }
    return material


def draw(sources: list[tuple[str, str]], charset: Charset, limit: int) -> list[Sample]:
    """Return up to `limit` encodable samples, the same ones at every run."""
    random.Random(charset.label).shuffle(sources)
    samples: list[Sample] = []
    for origin, source in sources:
        if len(samples) == limit:
            break
        if sample := encode(origin, source, charset):
            samples.append(sample)
    return samples


# The detectors: bytes to the texts that the answer stands for


def by_tamis(data: bytes) -> list[str]:
    """Decode by the whole of tamis, which uses turbohtml on a condensed sample."""
    return [decode(data).source.decode("utf-8", "replace")]


def by_turbohtml(data: bytes) -> list[str]:
    """Decode by turbohtml's detector on all of the page."""
    detected = turbohtml.detect.detect(data)
    return [data.decode(detected.codec, "replace")] if detected.codec else []


def by_turbohtml_text(data: bytes) -> list[str]:
    """Decode by turbohtml's detector on the page without scripts, styles and tags."""
    detected = turbohtml.detect.detect(TAGS.sub(b" ", data))
    return [data.decode(detected.codec, "replace")] if detected.codec else []


def by_charset_normalizer(data: bytes) -> list[str]:
    """Decode by charset-normalizer on all of the page."""
    return python_and_whatwg(data, from_bytes(data).best())


def by_charset_normalizer_text(data: bytes) -> list[str]:
    """Decode by charset-normalizer on the page without scripts, styles and tags."""
    return python_and_whatwg(data, from_bytes(TAGS.sub(b" ", data)).best())


def python_and_whatwg(data: bytes, match: object) -> list[str]:
    """Decode by Python's codec of that name and by the standard's, whichever is right counts."""
    name = getattr(match, "encoding", None)
    if name is None:
        return []
    texts = [data.decode(name, "replace")]
    variants = {"big5hkscs": "big5", "cp950": "big5", "euc_jis_2004": "euc-jp", "cp949": "euc-kr"}
    variants |= {"shift_jis_2004": "shift_jis", "cp932": "shift_jis", "iso2022_jp": "iso-2022-jp"}
    with suppress(LookupError):
        texts.append(data.decode(f"whatwg-{variants.get(name, name)}", "replace"))
    return texts


DETECTORS: dict[str, Callable[[bytes], list[str]]] = {
    "tamis.decode": by_tamis,
    "turbohtml": by_turbohtml,
    "turbohtml, text": by_turbohtml_text,
    "charset-normalizer": by_charset_normalizer,
    "charset-normalizer, text": by_charset_normalizer_text,
}


# Declarations: the bytes, the header and the text of a page that declares something


def with_meta(sample: Sample, charset: Charset) -> tuple[bytes, str]:
    """A sample whose page declares its own encoding, as bytes and as text."""
    meta = f'<meta charset="{charset.label}">'
    return meta.encode(charset.codec) + sample.data, meta + sample.text


def resaved(sample: Sample, charset: Charset) -> tuple[bytes, str | None, str]:
    """Saved as UTF-8 by a program that left the meta tag alone: `response.text` in a file."""
    text = with_meta(sample, charset)[1]
    return text.encode(), None, text


def resaved_header(sample: Sample, charset: Charset) -> tuple[bytes, str | None, str]:
    """UTF-8 under a header with the old encoding."""
    return sample.text.encode(), f"text/html; charset={charset.label}", sample.text


def right_header(sample: Sample, charset: Charset) -> tuple[bytes, str | None, str]:
    """As it should be."""
    return sample.data, f"text/html; charset={charset.label}", sample.text


def right_meta(sample: Sample, charset: Charset) -> tuple[bytes, str | None, str]:
    """As it should be, in the page itself."""
    data, text = with_meta(sample, charset)
    return data, None, text


def wrong_header(label: str, meta: bool) -> Declare:
    """A server that declares the same encoding for everything; the page may know better."""

    def declare(sample: Sample, charset: Charset) -> tuple[bytes, str | None, str]:
        data, text = with_meta(sample, charset) if meta else (sample.data, sample.text)
        return data, f"text/html; charset={label}", text

    return declare


Declare = Callable[[Sample, Charset], tuple[bytes, str | None, str]]
DECLARED: dict[str, Declare] = {
    "right header": right_header,
    "right meta": right_meta,
    "re-saved, old meta": resaved,
    "re-saved, old header": resaved_header,
    "utf-8 over right meta": wrong_header("utf-8", True),
    "iso-8859-1 over right meta": wrong_header("iso-8859-1", True),
    "utf-8 over none": wrong_header("utf-8", False),
    "iso-8859-1 over none": wrong_header("iso-8859-1", False),
}


def measure_declared(samples: list[Sample], charset: Charset) -> dict[str, int]:
    """How many samples come back under each declaration, and under none."""
    right = {"none": sum(sample.text in by_tamis(sample.data) for sample in samples)}
    for name, declare in DECLARED.items():
        right[name] = 0
        for sample in samples:
            data, header, text = declare(sample, charset)
            right[name] += decode(data, header).source.decode("utf-8", "replace") == text
    return right


def print_declared(kind: str, rows: dict[str, dict[str, int]]) -> None:
    """Print one Markdown table: texts given back under each declaration."""
    names = ["n", "none", *DECLARED]
    print(f"## {kind.capitalize()} under declarations: texts given back\n")
    print("| encoding | " + " | ".join(names) + " |")
    print("|---|" + "--:|" * len(names))
    for label, row in rows.items():
        print(f"| {label} | " + " | ".join(str(row[name]) for name in names) + " |")
    total = (str(sum(row[name] for row in rows.values())) for name in names)
    print("| **all** | " + " | ".join(total) + " |\n")


# The measurement


def measure(samples: list[Sample]) -> dict[str, dict[str, float]]:
    """Return, per detector, how many samples it gave back and its milliseconds a sample."""
    figures = {}
    for name, detector in DETECTORS.items():
        right, seconds = 0, 0.0
        for sample in samples:
            start = time.perf_counter()
            texts = detector(sample.data)
            seconds += time.perf_counter() - start
            right += sample.text in texts
        figures[name] = {"right": right, "ms": round(1000 * seconds / len(samples), 3)}
    return figures


def nearest_to_utf8(samples: list[Sample]) -> float:
    """Return the largest share, fitting bytes a stray byte, that looks like UTF-8 by accident.

    `decode` takes 20 and more for UTF-8 with a few bad bytes.
    """
    best = 0.0
    for sample in samples:
        text = sample.data.decode("utf-8", "replace")
        best = max(best, (len(sample.data) - len(text)) / max(1, text.count("\ufffd")))
    return round(best, 2)


def print_table(kind: str, rows: dict[str, dict[str, object]]) -> None:
    """Print one Markdown table: texts given back, and below it the mean time."""
    names = list(DETECTORS)
    print(f"## {kind.capitalize()}: texts given back\n")
    print("| encoding | n | sources | " + " | ".join(names) + " |")
    print("|---|--:|--:|" + "--:|" * len(names))
    total: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    count = 0
    for label, row in rows.items():
        n, figures = int(str(row["n"])), row["figures"]
        assert isinstance(figures, dict)
        print(f"| {label} | {n} | {row['sources']} | ", end="")
        print(" | ".join(str(figures[name]["right"]) for name in names) + " |")
        count += n
        for name in names:
            total[name] += figures[name]["right"]
            seconds[name] += figures[name]["ms"] * n
    print(f"| **all** | {count} | | " + " | ".join(str(total[n]) for n in names) + " |")
    print("| ms each | | | " + " | ".join(f"{seconds[n] / count:.2f}" for n in names) + " |\n")


def main() -> None:
    """Run both parts, print Markdown, write the figures."""
    parser = argparse.ArgumentParser(
        description="Test how encodings are found: html5lib's tests, and re-encoded pages."
    )
    script.add_data(parser)
    parser.add_argument(
        "--pages",
        type=int,
        default=100,
        metavar="N",
        help="at most N pages and N passages an encoding (default: %(default)s)",
    )
    arguments = parser.parse_args()
    report: dict[str, object] = {
        "html5lib": run_html5lib(arguments.shared / "html5lib-tests/encoding")
    }
    material = collect(arguments.shared / "datasets", arguments.pages)
    for kind in ("pages", "passages"):
        rows: dict[str, dict[str, object]] = {}
        for label, kinds in material.items():
            if samples := kinds[kind]:
                rows[label] = {
                    "n": len(samples),
                    "sources": len({s.origin for s in samples}),
                    "nearest_to_utf8": nearest_to_utf8(samples),
                    "figures": measure(samples),
                }
        report[kind] = rows
        print_table(kind, rows)
        legacy = [r for label, r in rows.items() if not label.startswith("utf-16")]
        nearest = max(float(str(r["nearest_to_utf8"])) for r in legacy)
        print(f"Nearest to UTF-8 by accident: {nearest} fitting bytes a stray byte.\n")
    for kind in ("pages", "passages"):
        declared = {
            charset.label: {"n": len(samples), **measure_declared(samples, charset)}
            for charset in CHARSETS
            if (samples := material[charset.label][kind])
        }
        report[f"declared {kind}"] = declared
        print_declared(kind, declared)
    missing = [label for label, kinds in material.items() if not any(kinds.values())]
    print("No text in the data sets for: " + (", ".join(missing) or "none") + ".")
    report["missing"] = missing
    report["declarations"] = late_declarations(arguments.shared / "datasets")
    print(f"Declarations: {report['declarations']}.")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    script.write(RESULTS, report)


if __name__ == "__main__":
    main()
