"""WARC files: what is a page, what is damaged, and that no cut loses or doubles a record."""

from __future__ import annotations

import errno
import json
import random
import zlib
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
import zstandard
from fastwarc.stream_io import BrotliWriter
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.corpus.files import list_files
from tamis.corpus.formats import read
from tamis.corpus.formats.warc import find_exact_cuts
from tamis.corpus.planning import plan_shards
from tamis.corpus.records import Columns, Record, Reject, Shard
from tamis.errors import InputError
from tests.corpus.archives import LIMIT, gzip_member, http, names, page, read_warc, reasons, record

PAGES = [record(number, http(page(f"Brücke {number}"))) for number in range(5)]


def write(folder: Path, data: bytes, name: str = "crawl.warc.gz") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def only_answer(folder: Path, data: bytes, max_bytes: int = LIMIT) -> Record | Reject:
    (answer,) = read_warc(write(folder, data, "crawl.warc"), max_bytes=max_bytes)
    return answer


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def test_a_record_has_address_date_type_and_body(tmp_path: Path) -> None:
    body = page("Die Brücke")
    assert only_answer(tmp_path, record("a", http(body))) == Record(
        "<urn:uuid:a>",
        "https://zeitung.example/a",
        body,
        "text/html; charset=utf-8",
        datetime(2024, 5, 17, 8, 30, tzinfo=UTC),
    )


@pytest.mark.parametrize("content_type", ["TEXT/HTML", "application/xhtml+xml; charset=utf-8"])
def test_html_is_known_by_its_content_type(tmp_path: Path, content_type: str) -> None:
    assert isinstance(only_answer(tmp_path, record("a", http(b"bare text", content_type))), Record)


@pytest.mark.parametrize("content_type", [None, "", "text/plain", "application/octet-stream"])
def test_what_looks_like_a_page_is_one_if_the_type_is_vague(
    tmp_path: Path, content_type: str | None
) -> None:
    assert isinstance(only_answer(tmp_path, record("a", http(page("มื้อเย็น"), content_type))), Record)
    robots = only_answer(tmp_path, record("a", http(b"User-agent: *\nDisallow: /", content_type)))
    assert isinstance(robots, Reject)
    assert robots.reason == "not html"


def test_what_is_no_page_is_refused_with_its_type(tmp_path: Path) -> None:
    kind = "application/json"
    answer = only_answer(tmp_path, record("a", http(b'{"a": 1}', kind)))
    assert answer == Reject("<urn:uuid:a>", "https://zeitung.example/a", "not html", kind)


def test_another_status_than_200_is_refused_with_the_status(tmp_path: Path) -> None:
    answer = only_answer(tmp_path, record("a", http(page("Weg"), status="404 Not Found")))
    assert answer == Reject(
        "<urn:uuid:a>", "https://zeitung.example/a", "http status", "404 Not Found"
    )


def test_http_headers_may_end_in_bare_line_feeds(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>Ein Reiher"
    answer = only_answer(tmp_path, record("a", block))
    assert isinstance(answer, Record)
    assert answer.body == b"<p>Ein Reiher"


@pytest.mark.parametrize("block", [b"no http at all", http(b"", headers=f"X: {'y' * 50_000}\r\n")])
def test_a_response_without_legible_http_is_damaged(tmp_path: Path, block: bytes) -> None:
    answers = read_warc(write(tmp_path, record("a", block) + PAGES[1]))
    assert (names(answers), reasons(answers)) == (["1"], ["damaged"])


def test_a_resource_is_a_page_without_http(tmp_path: Path) -> None:
    answer = only_answer(tmp_path, record("a", page("Hérons"), "resource", "text/html"))
    assert isinstance(answer, Record)
    assert answer.content_type == "text/html"


def test_records_of_other_types_are_passed_over(tmp_path: Path) -> None:
    others = [record(kind, http(page("x")), kind) for kind in ("request", "warcinfo", "revisit")]
    assert read_warc(write(tmp_path, b"".join(others))) == []


def test_an_address_that_gave_no_page_keeps_its_reason(tmp_path: Path) -> None:
    refused = record(
        "a", b"disallowed for tamis", "metadata", "text/plain", "Tamis-Refused: robots\r\n"
    )
    assert only_answer(tmp_path, refused) == Reject(
        "<urn:uuid:a>", "https://zeitung.example/a", "robots", "disallowed for tamis"
    )


def brotli(data: bytes) -> bytes:
    packed = BytesIO()
    writer = BrotliWriter(packed)
    writer.write(data)
    writer.close()
    return packed.getvalue()


@pytest.mark.parametrize(
    ("encode", "headers"),
    [
        (gzip_member, "Content-Encoding: gzip\r\n"),
        (zlib.compress, "Content-Encoding: deflate\r\n"),
        (lambda data: zlib.compress(data, wbits=-15), "Content-Encoding: deflate\r\n"),
        (brotli, "Content-Encoding: br\r\n"),
        (zstandard.compress, "Content-Encoding: zstd\r\n"),
        (lambda data: b"5\r\n" + data[:5] + b"\r\nFFFF; x=y\r\n" + data[5:] + b"\r\n0\r\n\r\n", ""),
        (
            lambda data: b"10000\r\n" + gzip_member(data) + b"\r\n0\r\n\r\n",
            "Content-Encoding: gzip\r\n",
        ),
    ],
    ids=["gzip", "zlib", "deflate", "br", "zstd", "chunked", "gzip chunked"],
)
def test_http_encodings_are_undone(tmp_path: Path, encode: object, headers: str) -> None:
    body = page("Brücke")
    body += b"<!--" + b"x" * (65_535 + 5 - len(body) - 4)  # as much as the chunk says
    assert callable(encode)
    packed = encode(body)
    if packed[-5:] == b"0\r\n\r\n":
        packed = packed.replace(b"10000\r\n", b"%x\r\n" % (len(packed) - 14), 1)
        headers += "Transfer-Encoding: chunked\r\n"
    answer = only_answer(tmp_path, record("a", http(packed, headers=headers)))
    assert isinstance(answer, Record)
    assert answer.body == body


@pytest.mark.parametrize(
    "header",
    [
        "Content-Encoding: gzip",
        "Content-Encoding: br",
        "Transfer-Encoding: chunked",
        "Content-Encoding: utf-8",
    ],
)
def test_a_body_that_the_crawler_decoded_is_taken_as_it_is(tmp_path: Path, header: str) -> None:
    answer = only_answer(tmp_path, record("a", http(page("Héron"), headers=f"{header}\r\n")))
    assert isinstance(answer, Record)
    assert answer.body == page("Héron")


def test_a_body_that_does_not_decode_is_damaged(tmp_path: Path) -> None:
    answer = only_answer(
        tmp_path, record("a", http(noise(100), headers="Content-Encoding: gzip\r\n"))
    )
    assert isinstance(answer, Reject)
    assert answer.reason == "damaged"


@pytest.mark.parametrize("encode", [gzip_member, brotli, zstandard.compress])
def test_a_body_that_unpacks_to_too_much_is_too_large(tmp_path: Path, encode: object) -> None:
    assert callable(encode)
    encoding = {gzip_member: "gzip", brotli: "br"}.get(encode, "zstd")
    bomb = encode(b"<p>" + b"x" * 50 * LIMIT)
    answer = only_answer(
        tmp_path, record("a", http(bomb, headers=f"Content-Encoding: {encoding}\r\n"))
    )
    assert isinstance(answer, Reject)
    assert answer.reason == "too large"


def test_a_record_over_the_limit_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    members = [gzip_member(record("big", http(b"<p>" + b"x" * 2 * LIMIT))), gzip_member(PAGES[1])]
    answers = read_warc(write(tmp_path, b"".join(members)))
    assert (names(answers), reasons(answers)) == (["1"], ["too large"])


def test_a_record_without_id_is_named_by_its_place(tmp_path: Path) -> None:
    bare = PAGES[1].replace(b"WARC-Record-ID: <urn:uuid:1>\r\n", b"")
    answers = read_warc(write(tmp_path, gzip_member(PAGES[0]) + gzip_member(bare)))
    assert answers[1].id == f"crawl.warc.gz:{len(gzip_member(PAGES[0]))}"


def test_a_bad_date_is_none(tmp_path: Path) -> None:
    answer = only_answer(tmp_path, PAGES[0].replace(b"2024-05-17T", b"17. Mai 24"))
    assert isinstance(answer, Record)
    assert answer.fetched is None


# Damage


@pytest.mark.parametrize("pack", [bytes, gzip_member])
def test_an_empty_file_has_no_records_and_no_error(tmp_path: Path, pack: object) -> None:
    assert callable(pack)
    assert read_warc(write(tmp_path, pack(b""))) == []


@pytest.mark.parametrize("pack", [bytes, gzip_member, zstandard.compress])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_a_file_that_is_cut_off_gives_all_before_and_tells_once(
    tmp_path: Path, pack: object, part: float
) -> None:
    assert callable(pack)
    members = [pack(page) for page in PAGES]
    kept = sum(map(len, members[:3])) + int(part * len(members[3]))
    answers = read_warc(write(tmp_path, b"".join(members)[:kept]))
    assert (names(answers), reasons(answers)) == (["0", "1", "2"], ["damaged"])


def test_a_file_that_is_cut_off_in_a_record_of_no_interest_is_damaged(tmp_path: Path) -> None:
    request = gzip_member(record("r", http(noise(500)), "request"))
    answers = read_warc(write(tmp_path, gzip_member(PAGES[0]) + request[:-200]))
    assert (names(answers), reasons(answers)) == (["0"], ["damaged"])


@pytest.mark.parametrize("pack", [bytes, gzip_member])
@pytest.mark.parametrize("between", [b"garbage", b"\0" * 600, b"\r\n\r\ngarbage WARC/1.0\r\n\r\n"])
def test_after_garbage_the_next_record_is_found(
    tmp_path: Path, pack: object, between: bytes
) -> None:
    assert callable(pack)
    members = [pack(page) for page in PAGES]
    answers = read_warc(write(tmp_path, b"".join([*members[:2], between, *members[2:]])))
    assert (names(answers), reasons(answers)) == (["0", "1", "2", "3", "4"], ["damaged"])


@pytest.mark.parametrize("size", [10, 300_000])
def test_a_corrupt_member_costs_one_record(tmp_path: Path, size: int) -> None:
    texts = [record(number, http(page("Fluss") + noise(size, number))) for number in range(4)]
    members = [bytearray(gzip_member(text)) for text in texts]
    members[1][len(members[1]) // 2] ^= 0xFF
    members[1][-6] ^= 0xFF
    answers = read_warc(write(tmp_path, b"".join(members)))
    assert [name for name in names(answers) if name != "1"] == ["0", "2", "3"]
    assert reasons(answers) == ["damaged"]


def test_a_wrong_content_length_costs_one_record(tmp_path: Path) -> None:
    length = len(PAGES[1].partition(b"\r\n\r\n")[2]) - 4
    for wrong in (length - 50, length + 50):
        bad = PAGES[1].replace(b"Length: %d" % length, b"Length: %d" % wrong)
        answers = read_warc(
            write(tmp_path, b"".join(map(gzip_member, [PAGES[0], bad, *PAGES[2:]])))
        )
        assert names(answers) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("bad", [b"WARC/1.0 and nothing else", PAGES[1].replace(b"Length", b"L")])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_member_that_is_no_whole_record_is_damaged(
    tmp_path: Path, bad: bytes, place: int
) -> None:
    answers = read_warc(
        write(tmp_path, b"".join(map(gzip_member, [*PAGES[:place], bad, *PAGES[place:]])))
    )
    assert (names(answers), reasons(answers)) == (["0", "1", "2", "3", "4"], ["damaged"])


def test_empty_members_are_passed_over(tmp_path: Path) -> None:
    empty = gzip_member(b"")
    answers = read_warc(write(tmp_path, empty.join([*map(gzip_member, PAGES), b""])))
    assert (names(answers), reasons(answers)) == (["0", "1", "2", "3", "4"], [])


def test_a_file_that_is_gone_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read(Shard(0, "warc", str(tmp_path / "gone.warc.gz")), Columns(), LIMIT))


@pytest.mark.parametrize("name", ["crawl.warc.gz", "pages.jsonl.gz"])
def test_a_disk_that_fails_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    class Failing(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 100_000:
                raise OSError(errno.EIO, "Input/output error")
            return super().read(size)

    lines = "".join(json.dumps({"html": noise(9_000, seed).hex()}) + "\n" for seed in range(40))
    records = [record(number, http(noise(9_000, number))) for number in range(40)]
    data = {
        "crawl.warc.gz": b"".join(map(gzip_member, records)),
        "pages.jsonl.gz": gzip_member(lines.encode()),
    }
    monkeypatch.setattr("builtins.open", lambda *_: Failing(data[name]))
    with pytest.raises(InputError, match=f"{name}: Input/output error"):
        list(read(Shard(0, name.split(".")[1], name), Columns(), LIMIT))


# Cuts

TRAPS = {
    "page": lambda number: http(page(f"Brücke {number}")),
    "short": lambda _: http(b"<p>"),
    "noise": lambda number: http(b"<p>" + noise(3_000, number)),
    "magic": lambda _: http(b"<p>" + b"\x1f\x8b\x08\0\x28\xb5\x2f\xfd" * 50),
    "quote": lambda number: http(
        b"<pre>\r\n\r\n" + record(f"quoted{number}", http(b"<p>"))[:-20] + b"</pre>"
    ),
    "archive": lambda number: http(
        b"".join(
            gzip_member(record(f"kept{number}", http(b"<p>" + noise(2_000, part))))
            for part in range(3)
        ),
        "text/html; x=y",
    ),
    "request": lambda _: http(b"<p>"),
}
PACKING = {
    "gzip": lambda records: b"".join(map(gzip_member, records)),
    "stored": lambda records: b"".join(gzip_member(record, 0) for record in records),
    "zstd": lambda records: b"".join(map(zstandard.compress, records)),
    "one member": lambda records: gzip_member(b"".join(records)),
    "two a member": lambda records: b"".join(
        gzip_member(b"".join(records[at : at + 2])) for at in range(0, len(records), 2)
    ),
}


@pytest.mark.parametrize("packing", PACKING)
@settings(max_examples=50)
@given(
    kinds=st.lists(st.sampled_from(sorted(TRAPS)), min_size=1, max_size=12),
    cuts=st.lists(st.floats(0, 1), max_size=6),
)
def test_no_cut_loses_or_doubles_a_record(
    tmp_path_factory: pytest.TempPathFactory, packing: str, kinds: list[str], cuts: list[float]
) -> None:
    records = [
        record(number, TRAPS[kind](number), "request" if kind == "request" else "response")
        for number, kind in enumerate(kinds)
    ]
    data = PACKING[packing](records)
    path = write(tmp_path_factory.getbasetemp(), data, f"{packing}.warc")
    whole = read_warc(path)
    assert [answer.id for answer in whole] == [
        f"<urn:uuid:{number}>" for number, kind in enumerate(kinds) if kind != "request"
    ]
    assert read_warc(path, [int(cut * len(data)) for cut in cuts]) == whole


def test_no_cut_falls_for_an_archive_inside_a_record(tmp_path: Path) -> None:
    inner = b"".join(
        gzip_member(record(f"inner{number}", http(noise(9_000, number)))) for number in range(60)
    )
    outer = [gzip_member(PAGES[0]), gzip_member(record("archive", http(inner, "x/warc")), 0)]
    outer += [gzip_member(page) for page in PAGES[1:]]
    path = write(tmp_path, b"".join(outer))
    whole = read_warc(path)
    assert (names(whole), reasons(whole)) == (["0", "1", "2", "3", "4"], ["not html"])
    size = path.stat().st_size
    for cut in range(0, size, size // 40):
        assert read_warc(path, [cut]) == whole


@given(target=st.integers(1, 5_000), kinds=st.lists(st.sampled_from(sorted(TRAPS)), max_size=12))
def test_a_plain_file_is_cut_at_its_own_records_only(
    tmp_path_factory: pytest.TempPathFactory, target: int, kinds: list[str]
) -> None:
    records = [record(number, TRAPS[kind](number)) for number, kind in enumerate(kinds)]
    whole_quote = http(b"<pre>\r\n\r\n" + record("quoted", http(b"<p>")) * 3 + b"</pre>")
    data = b"".join([*records, record("quote", whole_quote), *records])
    path = write(tmp_path_factory.getbasetemp(), data, "plain.warc")
    (file,) = list_files(str(path))[1]
    cuts = find_exact_cuts(file, target)
    begins = [0]
    for written in [*records, record("quote", whole_quote), *records]:
        begins.append(begins[-1] + len(written))
    assert set(cuts) <= set(begins)
    assert read_warc(path, cuts) == read_warc(path)


def test_zstd_with_a_dictionary_is_one_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.corpus.planning._LEAST", 100)
    many = [record(number, http(page(f"Brücke {number}"))) for number in range(200)]
    dictionary = zstandard.train_dictionary(4_000, many)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    stored = zstandard.compress(dictionary.as_bytes())
    frame = b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored
    path = write(tmp_path, frame + b"".join(map(packer.compress, many)), "crawl.warc.zst")
    shards = plan_shards([str(path)], Columns(), LIMIT)
    assert len(shards) == 1
    assert len(names(read_warc(path))) == 200
    assert read_warc(path, [path.stat().st_size // 2]) == read_warc(path)
