"""`tamis extract`, in this process and as the program that a shell starts."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests import needs
from tests.servers import serving

from tamis import Page
from tamis.cli import main
from tamis.methods._base import Scores
from tamis.methods.boilerpipe import Boilerpipe
from tamis.methods.tamis import Tamis

STORY = (
    "The river rose during the night, and by the morning the lower fields were under water. "
    "Nobody in the village had seen it so high since the winter of the great storm, and the old "
    "people said that the bridge would not hold for another day if the rain went on like this."
)
CAFE = (
    "Le café où l'on attendait le facteur est fermé depuis l'été dernier, et l'on n'a pas encore "
    "trouvé qui voudrait le reprendre, malgré les réunions à la mairie et les affiches collées "
    "sur toutes les portes du village. « Ça reviendra », dit le maire, qui n'y croit déjà plus."
)


def page_of(*paragraphs: str, charset: str = "utf-8") -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f'<!doctype html><html><head><meta charset="{charset}"><title>River</title></head><body>'
        '<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>'
        f"<article><h1>The river</h1>{text}</article>"
        '<footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer>'
        "</body></html>"
    )


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Return the path of an ordinary page."""
    path = tmp_path / "page.html"
    path.write_text(page_of(STORY, CAFE, STORY), encoding="utf-8")
    return path


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["extract", *map(str, arguments)], input=stdin)


def failure(*arguments: str | Path, stdin: bytes | None = None) -> str:
    """Return the one line on stderr of a run that must fail with status 2 and print nothing."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("tamis: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def program(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "tamis", "extract", *map(str, arguments)]


def start(
    *arguments: str | Path, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        program(*arguments),
        input=stdin,
        capture_output=True,
        timeout=300,
        env={**os.environ, **environment},
    )


def test_the_text_of_a_file_is_printed_without_the_navigation(page: Path) -> None:
    result = run(page)
    assert result.exit_code == 0
    assert STORY in result.stdout
    assert CAFE in result.stdout
    assert "Imprint" not in result.stdout
    assert result.stdout.endswith("\n")
    assert not result.stdout.endswith("\n\n")
    assert result.stderr == ""


def test_standard_input_is_read_for_a_dash(page: Path) -> None:
    assert run("-", stdin=page.read_bytes()).stdout == run(page).stdout


def test_json_has_the_text_the_address_and_the_blocks(page: Path) -> None:
    result = run(page, "--format", "json", "--url", "https://example.org/river")
    document = json.loads(result.stdout)
    assert document["url"] == "https://example.org/river"
    assert document["text"] == run(page).stdout.rstrip("\n")
    assert len(document["blocks"]) > 1
    assert "café" in result.stdout
    assert result.stdout.startswith("{\n  ")


def test_the_content_type_decides_the_charset(tmp_path: Path) -> None:
    path = tmp_path / "russian.html"
    text = "Река поднялась за ночь, и к утру нижние поля были под водой. " * 8
    path.write_bytes(f"<html><body><article><p>{text}</p></article>".encode("koi8-r"))
    assert "Река поднялась" in run(path, "--content-type", "text/html; charset=koi8-r").stdout


def test_the_output_file_holds_what_would_have_been_printed(page: Path, tmp_path: Path) -> None:
    output = tmp_path / "text.txt"
    output.write_text("old")
    result = run(page, "--output", output)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert output.read_text(encoding="utf-8") == run(page).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "text.txt"]


def test_an_output_link_is_followed_and_the_mode_of_its_file_is_kept(
    page: Path, tmp_path: Path
) -> None:
    output, link = tmp_path / "text.txt", tmp_path / "link"
    output.write_text("old")
    output.chmod(0o640)
    link.symlink_to(output)
    run(page, "--output", link)
    assert link.is_symlink()
    assert STORY in output.read_text(encoding="utf-8")
    assert output.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced(page: Path) -> None:
    assert run(page, "--output", "/dev/null").exit_code == 0
    assert not Path("/dev/null").is_file()


def test_an_output_that_cannot_be_written_is_named(page: Path, tmp_path: Path) -> None:
    for output in (tmp_path / "no" / "such" / "folder", tmp_path / ("x" * 300)):
        message = failure(page, "--output", output)
        assert str(output) in message
        assert "--output" in message
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_failed_run_leaves_the_old_output_alone(tmp_path: Path) -> None:
    output = tmp_path / "text.txt"
    output.write_text("old")
    failure(tmp_path / "missing.html", "--output", output)
    assert output.read_text() == "old"


def test_a_missing_file_is_an_error_with_advice(tmp_path: Path) -> None:
    message = failure(tmp_path / "missing.html")
    assert "missing.html: no such file; check the name" in message


def test_a_folder_without_pages_is_an_error_with_advice(tmp_path: Path) -> None:
    assert "no file in it ends in .html" in failure(tmp_path)


def test_a_pipe_needs_no_dash(page: Path) -> None:
    assert run(stdin=page.read_bytes()).stdout == run(page).stdout


@needs.posix
def test_without_a_page_or_a_pipe_the_usage_is_shown() -> None:
    ours, terminal = os.openpty()
    done = subprocess.run(program(), stdin=terminal, capture_output=True, timeout=300)
    os.close(ours)
    os.close(terminal)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Missing argument '[FILE|DIR|URL|-]...'" in done.stderr


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.md", "markdown"), ("a.json", "json"), ("a.HTML", "html"), ("a.htm", "html")],
)
def test_the_format_follows_the_name_of_the_output(
    page: Path, tmp_path: Path, name: str, format: str
) -> None:
    assert run(page, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_text("utf-8") == run(page, "--format", format).stdout


def test_a_format_that_is_asked_for_counts_more_than_the_name(page: Path, tmp_path: Path) -> None:
    run(page, "-f", "md", "-o", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text("utf-8") == run(page, "-f", "markdown").stdout
    run(page, "-o", tmp_path / "a.unknown")
    assert (tmp_path / "a.unknown").read_text("utf-8") == run(page).stdout


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a folder with three pages, one of them in a folder of its own."""
    folder = tmp_path / "saved"
    (folder / "more").mkdir(parents=True)
    for name in ("river.html", "sea.htm", "more/lake.html"):
        (folder / name).write_text(page_of(f"Of {name}. {STORY}", CAFE), encoding="utf-8")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))


def test_several_pages_become_a_file_each(saved: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    result = run(saved / "river.html", saved / "more", "--output", texts, "--workers", "1")
    assert (result.exit_code, result.output) == (0, "")
    assert names(texts) == ["lake.txt", "river.txt"]
    assert "Of river.html." in (texts / "river.txt").read_text("utf-8")


def test_a_folder_and_a_pattern_are_several_pages(saved: Path, tmp_path: Path) -> None:
    run(saved, "-f", "md", "-o", tmp_path / "all")
    assert names(tmp_path / "all") == ["more/lake.md", "river.md", "sea.md"]
    assert run(f"{saved}/**/*.html", "-f", "json", "-o", tmp_path / "some").exit_code == 0
    assert names(tmp_path / "some") == ["lake.json", "river.json"]
    assert "no file matches this pattern" in failure(f"{saved}/*.xml")


def test_a_page_that_fails_is_named_and_the_others_are_written(saved: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    missing, deep = saved / "missing.html", saved / "deep.html"
    deep.write_text("<div>" * 600)
    result = run(saved / "river.html", missing, deep, "-o", texts, "--max-depth", "500")
    assert result.exit_code == 2
    assert names(texts) == ["river.txt"]
    lines = result.stderr.splitlines()
    assert f"left out: {missing}: no such file" in lines[0]
    assert f"left out: {deep}: " in lines[1]
    assert lines[2] == "tamis: 2 of 3 pages could not be extracted"


def test_many_pages_are_extracted_by_workers_as_alone(saved: Path, tmp_path: Path) -> None:
    pages = [saved / f"{number}.html" for number in range(40)]
    for number, path in enumerate(pages):
        path.write_text(page_of(f"The story of the number {number}. {STORY}"), encoding="utf-8")
    pages[33].unlink()
    result = run(*pages, "-o", tmp_path / "texts", "--workers", "2")
    assert "1 of 40 pages" in result.stderr
    assert len(names(tmp_path / "texts")) == 39
    assert (tmp_path / "texts" / "39.txt").read_text("utf-8") == run(pages[39]).stdout


def test_several_pages_are_lines_of_json_on_standard_output(saved: Path) -> None:
    lines = [json.loads(line) for line in run(saved, "--format", "json").stdout.splitlines()]
    assert [Path(line["source"]).name for line in lines] == ["river.html", "sea.htm", "lake.html"]
    assert "Of sea.htm." in lines[1]["text"]


def test_several_pages_do_not_go_into_one_file_or_to_a_terminal(saved: Path) -> None:
    into_one = run(saved, "--output", "x.md")
    assert into_one.exit_code == 2
    assert "Several pages do not fit into one file" in into_one.stderr
    assert "give a folder with --output DIR" in run(saved).stderr
    assert "--url is the address of one page" in run(saved, "--url", "https://a.example/").stderr


def test_one_page_goes_into_a_folder_that_is_there(page: Path, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    run(page, "--output", tmp_path / "texts", "-f", "md")
    run(page, "--output", f"{tmp_path}/new/")
    assert names(tmp_path / "texts") == ["page.md"]
    assert names(tmp_path / "new") == ["page.txt"]


@needs.ordinary_user
def test_an_unreadable_file_is_an_error_with_advice(page: Path) -> None:
    page.chmod(0)
    assert "no permission to read it; change its permissions" in failure(page)


def test_a_name_that_no_file_can_have_is_an_error() -> None:
    assert "cannot be read" in failure("x" * 5000)
    assert "cannot be read" in failure("a\0b")


def test_a_name_with_line_ends_and_escapes_gives_one_harmless_line() -> None:
    assert failure("two\nlines\x1b[31m").rstrip("\n").isprintable()


def test_an_endless_file_stops_at_the_limit() -> None:
    assert "raise --max-bytes" in failure("/dev/zero", "--max-bytes", "1000000")


def test_a_page_over_a_limit_is_an_error(page: Path) -> None:
    failure(page, "--max-bytes", "100")
    failure(page, "--max-nodes", "3")
    failure(page, "--max-depth", "2")


@pytest.mark.parametrize("content", [b"", b"   \n", b"<html><body></body></html>"])
def test_a_page_without_text_succeeds_with_a_remark(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty.html"
    path.write_bytes(content)
    result = run(path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing was kept, since the page has no text" in result.stderr


def test_a_page_of_which_nothing_is_kept_says_what_to_try(tmp_path: Path) -> None:
    path, output = tmp_path / "links.html", tmp_path / "text.txt"
    path.write_text("<nav>" + '<a href="/x">More</a> <a href="/y">Other</a> ' * 20 + "</nav>")
    result = run(path, "--method", "boilerpipe", "--output", output)
    assert (result.exit_code, result.stdout) == (0, "")
    assert output.read_bytes() == b""
    assert "; try another --method" in result.stderr
    as_json = run(path, "--method", "boilerpipe", "--format", "json")
    assert json.loads(as_json.stdout)["text"] == ""


def test_a_threshold_that_would_keep_something_is_proposed(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scores(self: Boilerpipe, table: Page) -> Scores:
        return np.full(len(table.blocks), 0.377)

    monkeypatch.setattr(Boilerpipe, "score", scores)
    by = "--method", "boilerpipe"
    assert "; try --threshold 0.37 or another --method" in run(page, *by).stderr
    assert "try --threshold 0.37" in run(page, *by, "--threshold", "0.38").stderr
    assert STORY in run(page, *by, "--threshold", "0.37").stdout


@pytest.mark.parametrize(("best", "proposed"), [(0.377, "0.37"), (0.97, "0.5")])
def test_a_page_that_is_dropped_as_a_whole_says_so(
    page: Path, monkeypatch: pytest.MonkeyPatch, best: float, proposed: str
) -> None:
    def scores(self: Tamis, table: Page) -> Scores:
        return np.full(len(table.blocks), best)

    monkeypatch.setattr(Tamis, "score", scores)
    monkeypatch.setattr(Tamis, "chance_of_nothing", lambda *_: 0.999)
    result = run(page)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "since the page looks like one without content" in result.stderr
    assert f"try --threshold {proposed} or another --method" in result.stderr
    assert STORY in run(page, "--threshold", proposed).stdout
    too_high = run(page, "--threshold", "1").stderr
    assert "looks like" not in too_high
    assert "try --threshold 0." in too_high


def test_the_threshold_of_textsweeper_decides_what_is_an_overview_page(page: Path) -> None:
    textsweeper = ("--method", "textsweeper", "--overview", "skip", "--parameter")
    skipped = run(page, *textsweeper, "overview_below=100000")
    assert (skipped.exit_code, skipped.stdout) == (0, "")
    assert "because of the options for --overview" in skipped.stderr
    assert run(page, *textsweeper, "overview_below=1").stdout


def test_what_is_no_page_is_named_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 64)
    result = run(path)
    assert result.exit_code == 2
    assert "it looks like a PNG image" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_unknown_method_is_answered_with_near_names(page: Path) -> None:
    assert "boilerpipe" in failure(page, "--method", "boilerpip")


def test_an_unknown_parameter_is_answered_with_the_ones_there_are(page: Path) -> None:
    message = failure(page, "--method", "boilerpipe", "--parameter", "no_such=1")
    assert "boilerpipe has no parameter 'no_such'; did you mean" in message


def test_a_parameter_without_a_value_is_refused(page: Path) -> None:
    assert "write weights=VALUE" in failure(page, "--parameter", "weights")


@pytest.mark.parametrize("threshold", ["2", "-1", "nan", "much"])
def test_a_threshold_outside_0_to_1_is_wrong_usage(page: Path, threshold: str) -> None:
    result = run(page, "--threshold", threshold)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--threshold" in result.stderr


def test_a_lower_threshold_keeps_no_less(page: Path) -> None:
    assert len(run(page, "--threshold", "0").stdout) >= len(run(page).stdout)


def test_the_focus_decides_how_much_is_kept(page: Path) -> None:
    lengths = [
        len(run(page, "--focus", focus).stdout) for focus in ("precision", "balanced", "recall")
    ]
    assert lengths == sorted(lengths)
    assert run(page, "--focus", "balanced").stdout == run(page).stdout


def test_an_unknown_focus_is_wrong_usage(page: Path) -> None:
    result = run(page, "--focus", "everything")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--focus" in result.stderr


def test_help_has_examples_and_says_what_happens_without_a_threshold() -> None:
    output = run("--help").stdout
    assert "tamis extract article.html" in output
    threshold = " ".join(output.partition("--threshold")[2].partition("--format")[0].split())
    assert "[default: the best choice for the page" in threshold
    assert "else 0.5]" in threshold


def test_the_output_is_utf_8_whatever_the_locale(page: Path) -> None:
    done = start(page, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Le café où l'on attendait" in done.stdout.decode("utf-8")
    assert done.stderr == b""


def test_the_program_reads_standard_input_and_reports_a_missing_file(page: Path) -> None:
    assert start("-", stdin=page.read_bytes()).stdout == start(page).stdout
    done = start("missing.html")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"tamis: missing.html: no such file;")


@pytest.fixture
def long_page(tmp_path: Path) -> Path:
    """Return the path of a page whose text is more than a pipe holds."""
    path = tmp_path / "long.html"
    path.write_text(page_of(*[STORY] * 3000), encoding="utf-8")
    return path


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_long_texts_are_printed_to_their_end(long_page: Path, unbuffered: str) -> None:
    done = start(long_page, PYTHONUNBUFFERED=unbuffered)
    assert done.stdout.decode() == run(long_page).stdout
    assert len(done.stdout) > len(STORY) * 2000


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_the_program_without_a_word(
    long_page: Path, unbuffered: str
) -> None:
    process = subprocess.Popen(
        program(long_page),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@needs.linux
def test_a_full_disk_is_reported_in_one_line(page: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(program(page), stdout=full, stderr=subprocess.PIPE, timeout=300)
    assert done.returncode == 2
    assert done.stderr.startswith(b"tamis: standard output: cannot be written")
    assert done.stderr.count(b"\n") == 1


@needs.posix
def test_ctrl_c_ends_the_program_with_130() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = subprocess.Popen(
            program(f"http://127.0.0.1:{server.getsockname()[1]}/", "--allow-private"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "NO_PROXY": "127.0.0.1"},
            # A job in the background of a shell script inherits that it is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        server.settimeout(60)
        with server.accept()[0]:  # the program is now waiting for an answer
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout, stderr) == (130, b"", b"tamis: interrupted\n")


class _OnePage(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Type", "text/html; charset=windows-1252")
        self.end_headers()
        self.wfile.write(page_of(STORY, CAFE, STORY, charset="koi8-r").encode("cp1252"))


@pytest.fixture
def site() -> Iterator[str]:
    """Return the address of a server with one page, whose header and meta tag disagree."""
    with serving(_OnePage) as address:
        yield address


def test_a_url_is_fetched_and_its_header_decides_the_charset(site: str) -> None:
    document = json.loads(run(f"{site}/page", "--allow-private", "--format", "json").stdout)
    assert document["url"] == f"{site}/page"
    assert CAFE in document["text"]


def test_a_url_that_cannot_be_read_is_an_error(site: str) -> None:
    assert "404" in failure(f"{site}/missing", "--allow-private")
    assert "only http and https" in failure("file:///etc/passwd")


def test_weights_of_a_method_that_learns_can_be_given(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>A page.", "utf-8")
    from tamis.model.weights.load import path_of_shipped

    ours = run(str(page), "--method", "dragnet", "--weights", str(path_of_shipped("dragnet")))
    assert ours.exit_code == 0
    missing = run(str(page), "--method", "dragnet", "--weights", str(tmp_path / "none.npz"))
    assert missing.exit_code == 2
    none = run(str(page), "--method", "boilerpipe", "--weights", "x.npz")
    assert none.exit_code == 2
    assert "has no weights" in none.stderr


@needs.posix
@pytest.mark.parametrize("format", ["text", "markdown", "html", "json"])
def test_a_terminal_obeys_nothing_that_a_page_says(tmp_path: Path, format: str) -> None:
    sentence = "A tamis is a sieve with a fine mesh of silk, horsehair or steel in a drum."
    hostile = f"<h1>Sieves</h1><p>{sentence} \x1b]0;owned\x07 \x9b31m \u202e {sentence}"
    path = tmp_path / "page.html"
    path.write_text(f"<meta charset=utf-8>{hostile}", "utf-8")
    command = [*program(), path, "--format", format, "--method", "baseline"]
    piped = subprocess.run(command, capture_output=True, timeout=300)
    ours, terminal = os.openpty()
    shown = b""
    with subprocess.Popen(command, stdout=terminal) as running:
        os.close(terminal)
        with contextlib.suppress(OSError):  # what a terminal says at its end
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    assert running.returncode == piped.returncode == 0
    assert sentence in shown.decode() and not re.search("[\x1b\x07\x9b\u202e]", shown.decode())
    assert "\u202e" in piped.stdout.decode()


def test_the_title_is_on_top_or_left_out_and_front_matter_stands_before(page: Path) -> None:
    with_title = run("--title", page, "-f", "md").stdout
    assert with_title.startswith("# The river\n\nThe river rose")
    assert "# The river" not in run(page, "-f", "md", "--no-title").stdout
    written = run(page, "--front-matter", "-f", "md").stdout
    assert written.startswith('---\ntitle: "The river"\n')
    assert "add --format markdown" in run(page, "--front-matter").stderr
    assert run(page, "--front-matter", "--no-front-matter").exit_code == 0


def test_the_last_of_two_switches_counts(page: Path) -> None:
    text = page.read_text("utf-8").replace(
        "<footer>", f"<table><tr><td>{CAFE}<td>7</table><footer>"
    )
    page.write_text(text, "utf-8")
    assert "Le café" in run(page, "--no-tables", "--tables").stdout.split(STORY)[-1]
    assert "Le café" not in run(page, "--tables", "--no-tables").stdout.split(STORY)[-1]


@pytest.mark.parametrize(
    "words", [["--comments", "yes"], ["--comments=false"], ["--comments", "True"]]
)
def test_a_switch_with_a_value_is_an_error_that_says_what_to_write(
    page: Path, words: list[str]
) -> None:
    done = run(*words, page)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "takes no value: write --comments or --no-comments" in done.stderr


def test_a_file_may_have_the_name_of_a_value(page: Path) -> None:
    named = page.rename(page.with_name("yes"))
    assert run("--title", named).exit_code == 0
    assert run("--title", "--", named).exit_code == 0
