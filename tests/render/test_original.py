"""The original page, made harmless: what a browser makes of it, read by a parser of its own."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tamis
from tamis.errors import DeadlineError, TooMuchOutputError
from tamis.options import Options
from tamis.render import original

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("tests/pages/*/source.html")) + sorted(ROOT.glob("examples/*.html"))

ALLOWED = {*original._KEPT, *original._RENAMED.values(), "html", "head", "body", "meta", "style"}
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "background", "poster", "data"}


class Read(HTMLParser):
    """Elements and texts, as they are written."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marked: dict[int, str] = {}
        self.loose = ""
        self._open: list[str | None] = []
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("br", "col", "hr", "img", "wbr", "meta", "link"):
            self._open.append(dict(attrs).get(original.MARK))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        mark = self._open[-1] if self._open else None
        if mark is not None:
            self.marked[int(mark)] = self.marked.get(int(mark), "") + data
        elif not any(tag == "style" for tag, _ in self.elements[-1:]):
            self.loose += data.strip()


def shown(html: str, url: str | None = None, *, pictures: bool = False) -> str:
    return original.render(tamis.parse(html), url, pictures=pictures)


def read(html: str, **more: bool) -> Read:
    return Read(shown(html, **more))


def letters(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_text_of_a_page_is_there_once_with_the_number_of_its_block(path: Path) -> None:
    page = tamis.parse(path)
    document = Read(original.render(page, None))
    assert sorted(document.marked) == sorted(set(page.texts.block.tolist()))
    for block, text in document.marked.items():
        first, end = int(page.blocks.first_text[block]), int(page.blocks.end_text[block])
        assert letters(text) == letters("".join(map(page.text, range(first, end))))
    assert not document.loose
    assert {tag for tag, _ in document.elements} <= ALLOWED | {
        tag for tag, _ in document.elements if "-" in tag
    }


def test_the_first_element_forbids_everything_but_styles() -> None:
    elements = read("<meta http-equiv=refresh content='0;url=https://evil.example'><p>x").elements
    names = [name for name, _ in elements]
    assert names[:3] == ["html", "head", "meta"]
    assert elements[2][1] == {
        "http-equiv": "Content-Security-Policy",
        "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    }
    assert [given for name, given in elements[3:] if name == "meta"] == [{"charset": "utf-8"}]


HOSTILE = {
    "script": "<p>a<script>alert(1)</script>b<script src=//evil.example/x.js></script>",
    "handlers": "<p onclick=alert(1) OnMouseOver=alert(1) onfocus=x autofocus tabindex=1>a",
    "link": "<a href=javascript:alert(1) ping=//evil.example target=_top>a</a>",
    "base": "<base href=https://evil.example/ target=_top><p>a",
    "refresh": "<p>a<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "form": "<form action=//evil.example><input name=x value=a><button formaction=//evil>b</button>"
    "<select><option>c</select><textarea>d</textarea></form>",
    "frames": "<p>a<iframe src=//evil.example srcdoc='<script>alert(1)</script>'></iframe>"
    "<frameset><frame src=//evil.example></frameset><object data=//evil.example>b</object>"
    "<embed src=//evil.example><portal src=//evil.example></portal>",
    "svg": "<svg onload=alert(1)><script>alert(1)</script>"
    "<title><img src=x onerror=alert(1)></title>"
    "<text>a</text><a xlink:href=javascript:alert(1)><text>b</text></a><use href=data:x#y />"
    "<foreignObject><p onclick=x>c</foreignObject><style><img src=x></style></svg>",
    "math": "<math><mi xlink:href=javascript:alert(1)>a</mi><mtext><table><mglyph><style>"
    "<img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "template": "<template><script>alert(1)</script><p onclick=x>a</p></template>",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>a</noscript>",
    "comment": "<p>a<!--><script>alert(1)</script>--><![CDATA[<script>alert(1)</script>]]>",
    "attribute end": "<p title='\"><script>alert(1)</script>' class=\"'><img src=x onerror=y>\">a",
    "text": "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;img src=x onerror=y&amp;gt;",
    "raw": "<xmp><img src=x onerror=alert(1)></xmp><textarea></textarea><plaintext><script>a",
    "own names": "<tamis-unseen>a</tamis-unseen><x-y onclick=z is=a>b</x-y><blink>c</blink>"
    "<scr\0ipt>d</scr\0ipt><a-very-long" + "-name" * 50 + ">e",
    "select style": "<select><style><img src=x onerror=alert(1)></style><option>a</select>",
    "pictures": "<img src=javascript:alert(1) alt=a><img src=' data:text/html,<script>' lowsrc=x>"
    "<img src=//evil.example/p.png srcset='//evil.example/q.png 2x' usemap=#m>"
    "<input type=image src=x>"
    "<video poster=//evil.example><source src=x></video><body background=//evil.example>",
}


@pytest.mark.parametrize("pictures", [False, True])
@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_of_a_hostile_page_can_do_anything(kind: str, pictures: bool) -> None:
    document = read(f"<title>t</title>{HOSTILE[kind]}", pictures=pictures)
    for name, given in document.elements:
        assert name in ALLOWED or re.fullmatch(r"(?!script)[a-z0-9]+(-[a-z0-9]+)+", name), name
        for attribute, value in given.items():
            assert not attribute.startswith("on"), attribute
            assert attribute in original._ATTRIBUTES | {
                *("style", "src", "referrerpolicy", "open", "media", "charset", "content"),
                *("http-equiv", original.MARK),
            }, attribute
            if attribute in ADDRESSES:
                assert (name, attribute) == ("img", "src")
                assert (value or "").startswith(("https://", "http://"))
                assert pictures


@pytest.mark.parametrize("attribute", [*sorted(ADDRESSES), "xlink:href", "ping", "manifest", "is"])
@pytest.mark.parametrize("name", "a img p div table td video form body html x-y".split())
def test_no_attribute_keeps_a_script(name: str, attribute: str) -> None:
    html = f"<{name} {attribute}=' jAva\tscript:alert(1)'>text</{name}>"
    for pictures in (False, True):
        assert "script:" not in shown(html, pictures=pictures)


def test_marks_of_the_page_itself_are_dropped() -> None:
    html = "<p data-tamis=7>a</p><div DATA-TAMIS='0'><span data-tamis=1>b</span></div>"
    document = read(html)
    marks = [given[original.MARK] for _, given in document.elements if original.MARK in given]
    assert marks == ["0", "1"]
    assert document.marked == {0: "a", 1: "b"}


def test_styles_stay_and_cannot_end_early() -> None:
    html = (
        "<style>p{color:red}@import url(//evil.example/a.css);p{background:url(//evil.example/b)}"
        "a::after{content:'</st'}</style><p style='color:blue;background:url(javascript:x)'>a"
        "<svg><style></style><img src=x onerror=alert(1)></svg>"
    )
    document = shown(html)
    assert "p{color:red}" in document
    assert 'style="color:blue' in document
    # What they would load is forbidden by the policy, the first element of the head.
    assert document.index("Content-Security-Policy") < document.index("@import")
    assert Read(document).marked[0].startswith("a")
    assert "onerror" not in document
    assert document.count("</style") == 2


def test_styles_of_a_page_stand_in_the_head() -> None:
    document = shown("<body><p>a</p><select><style>p{color:red}</style></select>")
    assert document.index("p{color:red}") < document.index("<body")


PICTURE = "data:image/png;base64," + "A" * 300


def test_pictures_of_the_web_are_loaded_only_if_that_is_asked_for() -> None:
    html = (
        f"<link rel=stylesheet href=/a.css><link rel='alternate stylesheet' href=/b.css>"
        f"<img src=/a.png alt='A wall'><img data-src=//cdn.example/b.png><img src='{PICTURE}'>"
        "<img src='data:image/gif;base64,R0lGOD' alt=later>"
    )
    usual, loaded = (
        Read(shown(html, "https://a.example/b/", pictures=pictures)).elements
        for pictures in (False, True)
    )
    assert [given["src"] for name, given in usual if name == "img"] == [PICTURE]
    assert [given["alt"] for name, given in usual if name == "tamis-picture"] == [
        *("A wall", "", "later")
    ]
    assert [given["src"] for name, given in loaded if name == "img"] == [
        *("https://a.example/a.png", "https://cdn.example/b.png", PICTURE)
    ]
    sheets = [given["href"] for name, given in loaded if name == "link"]
    assert sheets == ["https://a.example/a.css"]
    assert not any(name == "link" for name, _ in usual)


def test_pictures_whose_address_nobody_knows_are_not_loaded() -> None:
    assert " src=" not in shown("<img src=/a.png><img src=a.png>", pictures=True)


def test_language_direction_and_classes_stay() -> None:
    html = "<html lang=ar dir=rtl class=x><body class=y><p class='a b' id=c>نص</p>"
    elements = dict(read(html).elements)
    assert elements["html"] == {"lang": "ar", "dir": "rtl", "class": "x"}
    assert elements["body"] == {"class": "y"}
    assert elements["p"] == {"class": "a b", "id": "c"}


def test_white_space_is_as_a_browser_shows_it() -> None:
    html = "<p>a <b>b</b> c<i> d</i>e <u>f </u>g</p><pre>\n x\n  <b>y</b> z\n</pre>"
    body = shown(html).partition("<body>")[2]
    text = re.sub(r"<[^>]*>", "", body)
    assert text.startswith("a b c de f g")
    assert " x\n  y z" in text


def test_what_a_browser_hides_stays_hidden_and_closed_parts_are_open() -> None:
    html = (
        "<p>a</p><p hidden>b</p><noscript>c</noscript><template>d</template>"
        "<details><summary>e</summary>f</details>"
    )
    document = shown(html)
    assert '<p hidden="">' in document
    assert re.search("<tamis-unseen><span [^>]*>c</span></tamis-unseen>", document)
    assert re.search("<tamis-unseen><span [^>]*>d</span></tamis-unseen>", document)
    assert "<details open>" in document


def test_a_page_of_ten_megabytes_is_written() -> None:
    page = tamis.parse(f"<div class=c><p>A <b>word</b> or {'two ' * 100}.</p></div>" * 24_000)
    assert len(page.source) > 10_000_000
    document = original.render(page, None)
    assert document.count(original.MARK) == len(page.texts)


def test_deep_nesting_is_written_as_it_is() -> None:
    document = shown("<div>" * 400 + "text" + "</div>" * 400)
    assert document.count("<div>") == document.count("</div>") == 400
    assert "text" in document


def test_the_limits_hold() -> None:
    page = tamis.parse("<p>A word or two." * 50_000)
    from tamis._runtime import limits

    with pytest.raises(TooMuchOutputError), limits.within(60, 10_000):
        original.render(page, None)
    with pytest.raises(DeadlineError), limits.within(0.000001):
        original.render(page, None)
    assert Options().max_output
