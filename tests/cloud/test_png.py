"""A cloud as PNG, and the fonts that it is drawn with."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli import main
from tamis.cloud import png
from tamis.cloud.draw import Cloud, draw_svg
from tamis.cloud.layout import arrange_terms
from tamis.cloud.png import Font
from tamis.cloud.terms import Term
from tamis.errors import InputError, OutputError

TERMS = (
    Term("เรือ", 1.0, 9),
    Term("ferry", 0.8, 7),
    Term("القافلة", 0.5, 4),
    Term("图鉴", 0.4, 3),
    Term("<b>&\"'", 0.2, 1),
)
CLOUD = Cloud(TERMS, "Boats & <ferries>", {"ferry": "https://e.org/#:~:text=ferry"}, "th")


def test_a_font_covers_what_it_has_glyphs_for() -> None:
    thai = Font("thai.ttf", 0, (range(0x20, 0x7F), range(0xE01, 0xE5C)))
    assert thai.covers("เรือ boat\u200d\n")
    assert not thai.covers("เรือ 船")


def lists(*fonts_found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, 0, "".join(fonts_found).encode())

    monkeypatch.setattr(png.subprocess, "run", run)


LATIN_FONT = "/f/latin.ttf|0|True|False|20-7e a0-17f\n"
THAI_FONT = "/f/thai.ttf|0|True|False|20 e01-e3a e3f-e5b\n"
BOTH_FONT = "/f/both.ttc|65538|True|False|20-7e e01-e5b\n"
EMOJI_FONT = "/f/emoji.ttf|0|True|True|1f300-1f6ff\n"


def test_the_font_that_covers_most_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(LATIN_FONT, THAI_FONT, BOTH_FONT, monkeypatch=monkeypatch)
    both = png.find_covering({"เรือ": 2, "boat": 1})
    assert {font.path for font in both.values()} == {"/f/both.ttc"}
    assert both["boat"].index == 2
    assert png.find_covering({"boat": 1})["boat"].path == "/f/latin.ttf"


def test_what_a_font_lacks_is_drawn_with_another(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(LATIN_FONT, THAI_FONT, monkeypatch=monkeypatch)
    chosen = png.find_covering({"เรือ": 2, "boat": 3, "船": 1})
    assert {text: font.path for text, font in chosen.items()} == {
        "boat": "/f/latin.ttf",
        "เรือ": "/f/thai.ttf",
    }


@pytest.mark.parametrize(
    ("term", "package"),
    [("เรือ", "fonts-tlwg-loma-ttf"), ("图鉴", "fonts-noto-cjk"), ("कथा", "fonts-noto-core")],
)
def test_letters_that_no_font_has_name_the_debian_package(
    term: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists(LATIN_FONT, EMOJI_FONT, monkeypatch=monkeypatch)
    with pytest.raises(OutputError, match=package):
        png.find_covering({term: 1.0, "x": 0.1}, "th")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with Python and its packages alone: no fontconfig, no font, no libfribidi."""
    from PIL import features

    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(features, "check", lambda feature: feature != "raqm")


@pytest.mark.usefixtures("bare")
def test_a_bare_machine_draws_english() -> None:
    assert ENGLISH.png() == ENGLISH.png() != Cloud(()).png()


@pytest.mark.usefixtures("bare")
def test_a_bare_machine_says_in_one_command_what_thai_needs() -> None:
    with pytest.raises(OutputError, match="apt install fontconfig libfribidi0 fonts-tlwg-loma-ttf"):
        Cloud((Term("เรื่อง", 1.0, 9), *ENGLISH.terms[1:])).png()


@pytest.mark.usefixtures("bare")
def test_a_font_of_ones_own_needs_fontconfig() -> None:
    with pytest.raises(OutputError, match=r"apt install fontconfig$"):
        ENGLISH.png(font="font.ttf")


def test_letters_that_stand_alone_need_no_raqm_and_marks_and_joined_letters_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lists("/f/all.ttf|0|True|False|20-2fa1d\n", monkeypatch=monkeypatch)
    assert set(png.find_covering({"café": 1, "Größe": 1, "船": 1, "한글": 1}, shaping=False)) == {
        "café", "Größe", "船", "한글",
    }  # fmt: skip
    for word in ("เรื่อง", "القافلة", "שלום", "कथा", "x\u0323\u0302"):
        assert png.find_covering({word: 1})
        with pytest.raises(OutputError, match="libfribidi0"):
            png.find_covering({word: 1}, shaping=False)


def test_the_font_of_pillow_has_the_letters_that_we_say() -> None:
    from PIL import ImageFont

    face = ImageFont.load_default(40)
    nothing = bytes(face.getmask("\uffff"))
    for codes in png.BUILT_IN.ranges:
        assert all(bytes(face.getmask(chr(code))) != nothing for code in codes)


def test_without_pillow_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(InputError, match=r"pip install 'tamis\[cloud\]'"):
        CLOUD.png()


ENGLISH = Cloud((Term("ferry", 1.0, 9), Term("bell", 0.5, 4)), "Ferry", language="en")


def test_a_png_is_a_picture_and_always_the_same() -> None:
    data = ENGLISH.png()
    assert data.startswith(b"\x89PNG\r\n")
    assert data == ENGLISH.png()
    assert len(data) > len(Cloud(()).png())


def test_terms_that_the_font_lacks_are_left_out_with_a_warning() -> None:
    from tamis.cloud.png import GlyphWarning

    with pytest.warns(GlyphWarning, match="1 terms are not in the picture.*: apt install "):
        Cloud((*ENGLISH.terms, Term("\U000e0100\ue123\u1400\U0001fab7", 0.1, 1))).png()


def test_a_picture_has_the_places_of_the_svg_and_every_term() -> None:
    from PIL import Image

    many = tuple(Term(f"word{number}", 1 / (1 + number), 1) for number in range(150))
    cloud = Cloud(many, "Words", language="en")
    picture = Image.open(io.BytesIO(cloud.png())).convert("L")
    places = arrange_terms(many).places
    assert len(places) == len(many)
    for place in places:
        corner = 2 * place.left, 2 * place.top
        box = picture.crop((*corner, corner[0] + 2 * place.width, corner[1] + 2 * place.height))
        darkest, _ = box.getextrema()
        assert darkest < 200, place.text
        edges = [box.crop((x, 0, x + 2, box.height)).getextrema()[0] for x in (0, box.width - 2)]
        assert min(edges) > 250, "a distance to the next word"


def test_clouds_side_by_side_have_their_titles_and_fit_the_window() -> None:
    assert 'style="max-width:100%;height:auto"' in draw_svg([ENGLISH, ENGLISH])
    assert len(ENGLISH.png()) < len(side_by_side([ENGLISH, ENGLISH]))


def side_by_side(clouds: list[Cloud]) -> bytes:
    from tamis.cloud.png import draw_png

    return draw_png(clouds)


def test_a_file_that_is_not_a_font_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(monkeypatch=monkeypatch)  # what fc-query prints of such a file: nothing
    with pytest.raises(OutputError, match="not a font"):
        ENGLISH.png(font="notes.txt")


def test_a_thai_cloud_is_drawn_as_the_guide_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import features

    shaping = features.check("raqm")
    try:
        png.find_covering({"เรื่อง": 1.0}, "th", shaping=shaping)
    except OutputError:
        pytest.skip(f"needs a Thai font: {png.what_to_install(['เรื่อง'], shaping)}")
    guide = Path(__file__).parents[2] / "docs" / "how-to" / "cloud.md"
    [command] = re.findall(r"^tamis (.*--output cloud.png)$", guide.read_text("utf-8"), re.M)
    shutil.copytree(guide.parents[2] / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, command.split())
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (tmp_path / "cloud.png").stat().st_size > 10_000
