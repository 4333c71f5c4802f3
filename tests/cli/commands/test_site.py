"""`tamis site`: models of sites learned from files, used and shown."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tamis
from tamis.cli import main
from tamis.cli.commands import site
from tamis.cli.sources import read_source
from tamis.site.model import Site

TOPICS = "bridge harbour orchard library railway museum bakery garden theatre market".split()


def page(number: int, host: str = "", brand: str = "Valley Courier") -> str:
    """One of the articles of a small paper."""
    topic = TOPICS[number % len(TOPICS)]
    body = "".join(
        f"<p>The {topic} of the upper valley, built in {1800 + 7 * number + part}, {rest}.</p>"
        for part, rest in enumerate(
            (
                "will be open to visitors again from the first weekend of May, the council said",
                "had been shut for two winters while masons replaced what the frost had broken",
                f"cost the town far less than the {topic} of our neighbours, as the mayor likes to"
                " tell anybody who asks and many who do not",
            )
        )
    )
    canonical = f'<link rel="canonical" href="https://www.{host}/{topic}">' if host else ""
    return f"""<!doctype html><html lang="en"><head><title>The {topic} | {brand}</title>
{canonical}</head><body>
<div class="cookies"><p>{brand} uses cookies to know you. <button>Accept all</button></p></div>
<nav><ul><li><a href="/">Home</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<article><h1>The {topic} reopens, number {number}</h1>{body}</article>
<aside class="letter"><h2>Our letter</h2><p>Every Friday the best of {brand} in your mail, free
of charge and without any advertising that we would have to be ashamed of.</p></aside>
<footer><p>© 2024 {brand}. All rights reserved. No part may be copied.</p></footer>
</body></html>"""


def pages(folder: Path, numbers: range, **how: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        (folder / f"{number}.html").write_text(page(number, **how), "utf-8")
    return folder


def run(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["site", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    run("learn", pages(folder / "saved", range(8)), "--output", folder / "courier.npz")
    return folder / "courier.npz"


# learn


def test_a_folder_becomes_a_model_and_a_line_about_it(tmp_path: Path) -> None:
    pages(tmp_path / "saved" / "deep", range(3))
    (tmp_path / "saved" / "notes.txt").write_text("no page")
    pages(tmp_path / "saved" / "deep" / "0_files", range(7, 8))  # frames of a saved page
    out = tmp_path / "courier.npz"
    printed = run("learn", tmp_path / "saved", "--output", out).stdout
    sure = Site.load(out).confidence
    assert printed == f"{out}: 3 pages of 1 template, confidence {sure:.2f}, 3 new\n"


def test_the_same_command_again_learns_only_what_is_new(tmp_path: Path) -> None:
    saved, out = pages(tmp_path / "saved", range(3)), tmp_path / "m.npz"
    run("learn", saved, "--output", out)
    pages(saved, range(5))
    again = run("learn", saved, "--output", out).stdout
    assert again.startswith(f"{out}: 5 pages of 1 template")
    assert again.endswith(" 2 new\n")
    other = pages(tmp_path / "other", range(3))
    assert "3 pages" in run("learn", other, "--new", "--output", out).stdout


def test_identical_pages_count_once(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.html").write_text(page(1))
    printed = run("learn", tmp_path, "--output", tmp_path / "m.npz").stdout
    assert "1 page of 1 template" in printed


def test_broken_pages_are_reported_counted_and_skipped(tmp_path: Path) -> None:
    saved = pages(tmp_path / "saved", range(2))
    (saved / "empty.html").write_bytes(b"")
    (saved / "script.html").write_text("<script>1</script>")
    (saved / "large.html").write_text(page(3) + " " * 9000)
    result = run("learn", saved, "--output", tmp_path / "m.npz", "--max-bytes", "5000")
    assert "2 pages" in result.stdout
    assert f"left out: {saved / 'empty.html'}: the page has no text" in result.stderr
    assert f"left out: {saved / 'large.html'}: more than 5,000 bytes" in result.stderr
    assert "tamis: pages left out: 3\n" in result.stderr


def test_many_broken_pages_are_counted_and_some_reported(tmp_path: Path) -> None:
    saved = pages(tmp_path / "saved", range(1))
    for number in range(30):
        (saved / f"empty{number}.html").write_bytes(b"")
    messages = run("learn", saved, "--output", tmp_path / "m.npz").stderr
    assert messages.count("\n") == 6
    assert "pages left out: 30" in messages


def test_nothing_but_broken_pages_is_an_error_and_makes_no_model(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    result = run("learn", tmp_path, "--output", tmp_path / "m.npz", code=2)
    assert "none of 1 pages could be used" in result.stderr
    assert not (tmp_path / "m.npz").exists()


def test_mixed_sites_give_one_model_per_host(tmp_path: Path) -> None:
    mixed = pages(tmp_path / "mixed", range(3), host="courier.example")
    pages(mixed / "www.times.example" / "news", range(3, 6), host="syndicated.example")
    pages(mixed / "unknown" / "deep", range(2))
    printed = run("learn", mixed, "--output", tmp_path / "models").stdout
    assert [Path(line.partition(":")[0]).name for line in printed.splitlines()] == [
        "courier.example.npz",
        "times.example.npz",
        "unknown.npz",
    ]
    assert Site.load(tmp_path / "models" / "times.example.npz").pages == 3


def test_mixed_sites_do_not_go_into_one_model_unless_that_is_wanted(tmp_path: Path) -> None:
    pages(tmp_path / "a", range(2), host="courier.example")
    pages(tmp_path / "b", range(3, 5), host="times.example")
    given = (tmp_path / "a", tmp_path / "b", "--output", tmp_path / "m.npz")
    printed = run("learn", *given, code=2).stderr
    assert "a page of times.example, but the model has learned pages of courier.example" in printed
    assert printed.count("\n") == 1
    assert "4 pages" in run("learn", *given, "--one-site").stdout
    assert (
        "one model" in run("learn", *given[:2], "--one-site", "--output", tmp_path, code=2).stderr
    )


@pytest.mark.parametrize(
    "address",
    [
        *("https://../../evil/", "https://a%2f..%2fb/", "http://[", "https://./", "/x", ""),
        *("javascript:1", f"https://{'a.' * 999}org/", f"https://{'a' * 99}.org/"),
    ],
)
def test_an_address_that_names_no_host_does_not_name_a_file(tmp_path: Path, address: str) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    (saved / "a.html").write_text(f'<link rel=canonical href="{address}">{page(1)}')
    run("learn", saved, "--output", tmp_path / "models")
    assert os.listdir(tmp_path / "models") == ["saved.npz"]


def test_an_interrupted_run_keeps_what_it_learned_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, out = pages(tmp_path / "saved", range(5)), tmp_path / "m.npz"

    def interrupted(name: str, *rest: object) -> object:
        if name.endswith("3.html"):
            raise KeyboardInterrupt
        return read_source(name, *rest)  # type: ignore[arg-type]  # passed on as it came

    with monkeypatch.context() as patched:
        patched.setattr(site, "read_source", interrupted)
        result = run("learn", saved, "--output", out, code=130)
    assert "run the same command again to go on" in result.stderr
    assert Site.load(out).pages == 3
    again = run("learn", saved, "--output", out).stdout
    assert again.startswith(f"{out}: 5 pages of 1 template")
    assert again.endswith(" 2 new\n")


def test_models_are_saved_while_learning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves: list[int] = []
    save = Site.save

    def counted(self: Site, path: str | os.PathLike[str]) -> None:
        saves.append(self.pages)
        save(self, path)

    monkeypatch.setattr(Site, "save", counted)
    monkeypatch.setattr(site, "_SAVE_SECONDS", 0.0)
    run("learn", pages(tmp_path / "saved", range(3)), "--output", tmp_path / "m.npz")
    assert saves == [1, 2, 3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("none.html", "--output", "m.npz"), "no such file"),
        (("empty", "--output", "m.npz"), "no file in it ends in .html"),
        (("saved", "--output", "none/m.npz"), "there is no folder none"),
        (("saved", "--output", "saved/0.html"), "this folder cannot be made"),
        (("saved", "--output", "damaged.npz"), "(--new replaces it)"),
        (("saved",), "--output"),
    ],
)
def test_wrong_names_are_reported_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    pages(tmp_path / "saved", range(1))
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged.npz").write_bytes(b"PK nonsense")
    assert message in run("learn", *given, code=2).stderr


def test_a_page_that_cannot_be_fetched_is_skipped(tmp_path: Path) -> None:
    saved = pages(tmp_path / "saved", range(1))
    result = run("learn", saved, "http://127.0.0.1:1/a", "--output", tmp_path / "m.npz")
    assert "left out: http://127.0.0.1:1/a" in result.stderr


# extract


def test_a_page_is_extracted_as_the_model_does_it(model: Path, tmp_path: Path) -> None:
    story = tmp_path / "story.html"
    story.write_text(page(9))
    expected = Site.load(model).extract(page(9))
    assert run("extract", model, story).stdout == expected.text + "\n"
    run("extract", model, story, "--format", "markdown", "--output", tmp_path / "story.md")
    assert (tmp_path / "story.md").read_text("utf-8").rstrip() == expected.markdown.rstrip()
    described = json.loads(
        run("extract", model, story, "--format", "json", "--url", "http://e.org/").stdout
    )
    assert described["url"] == "http://e.org/"


def command(name: str, *arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [name, *map(str, arguments)])


def test_a_model_is_a_method_of_the_commands_for_one_page(model: Path, tmp_path: Path) -> None:
    story, text = tmp_path / "story.html", tmp_path / "story.txt"
    story.write_text(page(9))
    expected = Site.load(model).extract(page(9))
    assert command("extract", story, "--method", model, "-o", text).exit_code == 0
    assert text.read_text("utf-8") == expected.text + "\n"
    explained = command("explain", story, "--method", model, "--format", "json").stdout
    kept = [block["text"] for block in json.loads(explained)["blocks"] if block["kept"]]
    assert kept == [block.text for block in expected.blocks if block.kept]
    lines = command("page", story, "--method", model).stdout.splitlines()
    assert sum(" +  " in line for line in lines) == len(kept)


def test_a_model_as_method_takes_no_parameters_and_learns_no_other_model(
    model: Path, tmp_path: Path
) -> None:
    story = pages(tmp_path / "saved", range(1)) / "0.html"
    result = command("extract", story, "--method", model, "--parameter", "depth=3")
    assert "a model has its parameters" in result.stderr
    run("learn", story, "--method", model, "--output", tmp_path / "m.npz", code=2)


def test_a_model_that_knows_no_other_page_changes_nothing(tmp_path: Path) -> None:
    story = pages(tmp_path / "saved", range(1)) / "0.html"
    run("learn", story, "--output", tmp_path / "m.npz")
    extracted = run("extract", tmp_path / "m.npz", story).stdout
    assert extracted == tamis.extract(page(0)).text + "\n" != "\n"


def test_several_pages_go_into_a_folder(model: Path, tmp_path: Path) -> None:
    given = pages(tmp_path / "in" / "deep", range(2)).parent
    (given / "deep" / "0.htm").write_text(page(5))
    out = tmp_path / "out"
    run("extract", model, given, "--output", out)
    files = sorted(str(path.relative_to(out)) for path in out.rglob("*.txt"))
    assert files == [os.path.join("deep", name) for name in ("0-2.txt", "0.txt", "1.txt")]
    assert "number 1" in (out / "deep" / "1.txt").read_text("utf-8")


def test_several_pages_are_lines_of_json(model: Path, tmp_path: Path) -> None:
    given = pages(tmp_path / "in", range(3))
    lines = run("extract", model, given, "--format", "json").stdout.splitlines()
    assert [json.loads(line)["source"] for line in lines] == [
        str(given / f"{number}.html") for number in range(3)
    ]


def test_several_pages_have_no_place_on_standard_output_and_no_one_address(
    model: Path, tmp_path: Path
) -> None:
    given = pages(tmp_path / "in", range(2))
    assert "--output DIR" in run("extract", model, given, code=2).stderr
    assert "several" in run("extract", model, given, "--url", "http://e.org/", code=2).stderr


def test_a_page_that_cannot_be_read_does_not_stop_the_others(model: Path, tmp_path: Path) -> None:
    given = pages(tmp_path / "in", range(2))
    (given / "large.html").write_text(page(3) + " " * 9000)
    (given / "empty.html").write_text("")
    result = run("extract", model, given, "--output", tmp_path, "--max-bytes", "5000", code=2)
    assert "1 of 4 pages could not be extracted" in result.stderr
    assert f"nothing was kept: {given / 'empty.html'}\n" in result.stderr
    assert (tmp_path / "1.txt").exists()


def test_pages_are_not_replaced_by_their_content(model: Path, tmp_path: Path) -> None:
    given = pages(tmp_path / "in", range(2))
    printed = run("extract", model, given, "--format", "html", "--output", given, code=2).stderr
    assert "would replace a page" in printed
    assert (given / "0.html").read_text("utf-8") == page(0)


def test_a_folder_of_models_is_used_by_host(tmp_path: Path) -> None:
    pages(tmp_path / "in" / "courier.example", range(3))
    pages(tmp_path / "in" / "times.example", range(2))
    run("learn", tmp_path / "in" / "courier.example", "--output", tmp_path / "models")
    given = ("extract", tmp_path / "models", tmp_path / "in", "--output", tmp_path / "out")
    printed = run(*given, code=2).stderr
    assert "times.example.npz; learn the site of the page first" in printed
    assert len(list((tmp_path / "out" / "courier.example").iterdir())) == 3


@pytest.mark.parametrize("command", ["extract", "show"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"<p>a page"])
def test_what_is_no_model_is_one_clear_line(tmp_path: Path, command: str, content: bytes) -> None:
    (tmp_path / "m.npz").write_bytes(content)
    story = pages(tmp_path / "in", range(1)) / "0.html"
    given = [story] if command == "extract" else []
    result = run(command, tmp_path / "m.npz", *given, code=2)
    assert str(tmp_path / "m.npz") in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_damaged_model_is_distinguished_from_a_whole_one(model: Path, tmp_path: Path) -> None:
    whole = model.read_bytes()
    (tmp_path / "m.npz").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in run("show", tmp_path / "m.npz", code=2).stderr


# show


def test_what_repeats_is_shown_with_how_often_and_where(model: Path) -> None:
    shown = run("show", model).stdout
    assert "8 pages of 1 template, confidence 0." in shown
    assert "template 1: 8 pages" in shown
    assert "\n  100%     8 pages  © 2024 Valley Courier. All rights reserved." in shown
    assert f"\n  [1] {model.parent / 'saved' / '1.html'}\n" in shown
    assert all(line.endswith("  [1]") for line in shown.splitlines() if "8 pages  " in line)
    assert "reopens" not in shown


def test_one_page_shows_no_template(tmp_path: Path) -> None:
    run("learn", pages(tmp_path / "saved", range(1)), "--output", tmp_path / "m.npz")
    assert "no block repeats" in run("show", tmp_path / "m.npz").stdout


def test_a_home_page_is_a_template_of_its_own(tmp_path: Path) -> None:
    saved = pages(tmp_path / "saved", range(6))
    teasers = "".join(
        f'<section id="t{n}"><h3>{t} news</h3></section>' for n, t in enumerate(TOPICS)
    )
    (saved / "index.html").write_text(f'<body class="home"><div id="grid">{teasers}</div>')
    run("learn", saved, "--output", tmp_path / "m.npz")
    shown = run("show", tmp_path / "m.npz").stdout
    assert "7 pages of 2 templates" in shown
    assert "template 1: 6 pages" in shown


def test_the_html_view_is_written_to_a_file(model: Path, tmp_path: Path) -> None:
    assert run("show", model, "--format", "html", "--output", tmp_path / "t.html").stdout == ""
    html = (tmp_path / "t.html").read_text("utf-8")
    assert "<title>" in html
    assert "Template of courier" in html


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    saved = pages(tmp_path / "saved", range(3), brand="Valley &#27;[31m Courier")
    run("learn", saved, "--output", tmp_path / "m.npz")
    assert "\x1b" not in run("show", tmp_path / "m.npz").stdout


@pytest.mark.parametrize("command", [(), ("learn",), ("extract",), ("show",)])
def test_help_has_examples(command: tuple[str, ...]) -> None:
    assert "Examples:" in run(*command, "--help").stdout


# show, of the published methods


@pytest.fixture(scope="module", params=["x_cex", "content_extractor", "infodiscoverer"])
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    out = folder / f"{request.param}.npz"
    saved = pages(folder / "saved", range(8))
    run("learn", saved, "--one-site", "--method", request.param, "--output", out)
    return out


def test_blocks_of_a_published_method_have_their_value_and_their_pages(published: Path) -> None:
    printed = run("show", published).stdout
    measure, value = ("entropy", "1.000") if "info" in published.stem else ("IBDF", "0.125")
    assert f"blocks that repeat: {measure}, pages" in printed
    (footer,) = (line for line in printed.splitlines() if "All rights reserved" in line)
    assert footer.split()[:4] == [value, "8", "of", "8"]
    assert footer.endswith("[1-8]")
    assert "[8] " in printed.partition("\npages:\n")[2]


def test_every_block_of_a_page_is_shown_with_its_pages(published: Path) -> None:
    source = published.parent / "saved" / "3.html"
    lines = run("show", published, source).stdout.splitlines()
    shown = [line for line in lines if "[1-8]" in line or line.startswith(("+ ", "  "))]
    assert sum("Every Friday the best of" in line for line in shown) == 1
    assert any("Home" in line for line in shown)


def test_the_html_view_names_the_pages_of_a_published_method(published: Path) -> None:
    html = run("show", published, "--format", "html").stdout
    assert "8 are known by name" in html
    assert html.count("7.html") >= 1


def test_the_style_tree_is_a_picture_and_other_models_have_none(
    published: Path, tmp_path: Path
) -> None:
    tree = tmp_path / "tree.npz"
    saved = published.parent / "saved"
    run("learn", saved, "--one-site", "--method", "site_style_tree", "--output", tree)
    assert run("show", tree, "--format", "svg").stdout.startswith("<svg ")
    assert "importance, pages" in run("show", tree).stdout
    assert (
        "only site_style_tree models have a tree"
        in run("show", published, "--format", "svg", code=2).output
    )
