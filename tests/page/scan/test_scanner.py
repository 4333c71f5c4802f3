"""The tree is that of the HTML standard, as far as no node has to be moved for it."""

from __future__ import annotations

import string
from typing import Any

import pytest
import turbohtml

import tamis
from tamis.page import tags

SKIPPED = frozenset(["script", "style", "title", "iframe", "noembed", "noframes"])


def _described(name: str, inside: list[str]) -> str:
    """One element: its name, and what is inside in brackets. Neighbouring text is one text."""
    content = " ".join(inside).replace("' '", "")
    return f"{name}({content})" if content else name


def outline(page: tamis.Page, root: int = 0) -> str:
    """The tree below a node: `html(head body(p('text')))`, text without its white space."""
    nodes, texts = page.nodes, page.texts
    below: dict[int, list[tuple[tuple[int, int, int], int]]] = {}
    for node in range(1, len(nodes)):
        key = (int(nodes.first_text[node]), 0, node)
        below.setdefault(int(nodes.parent[node]), []).append((key, node))
    for text in range(len(texts)):
        below.setdefault(int(texts.node[text]), []).append(((text, 1, 0), text))

    def describe(node: int) -> str:
        inside = [
            f"'{''.join(page.text(thing).split())}'" if key[1] else describe(thing)
            for key, thing in sorted(below.get(node, []))
        ]
        return _described(page.tag_name(node), inside)

    return describe(root)


def conforming_outline(html: str) -> str:
    """The same by turbohtml."""

    def inside(node: Any) -> list[str]:
        pieces = []
        for child in node.children:
            if isinstance(child, turbohtml.Text):
                text = "".join(child.data.split())
                if text:
                    pieces.append(f"'{text}'")
            elif isinstance(child, turbohtml.Element):
                content = [] if child.tag in SKIPPED and not foreign(child) else inside(child)
                pieces.append(_described(child.tag.lower(), content))
            elif isinstance(child, turbohtml.DocumentFragment):  # what is in a template
                pieces.extend(inside(child))
        return pieces

    def foreign(element: turbohtml.Element) -> bool:
        return element.namespace is not turbohtml.Namespace.HTML

    root = turbohtml.parse(html, allow_declarative_shadow_roots=False).root
    return _described("html", inside(root))


def body(html: str) -> str:
    """What is in the body."""
    page = tamis.parse(html)
    for node in range(len(page.nodes)):
        if page.tag_name(node) == "body":
            return outline(page, node).removeprefix("body").removeprefix("(").removesuffix(")")
    raise AssertionError("no body")


def linked(html: str) -> str:
    """The text that is in links."""
    page = tamis.parse(html)
    in_link = (page.texts.flags & tags.IN_LINK).tolist()
    return " ".join(page.text(text) for text, flag in enumerate(in_link) if flag)


# Everything at once: no snippet here needs foster parenting or the adoption agency.

CONFORMING = [
    # what is left out
    "",
    "x",
    "<p>x",
    "<html>x",
    "<head>x",
    "<body>x",
    "<title>t</title>x",
    "<html><head><title>t</title></head><body>x</body></html>",
    "<html><title>t</title><p>x",
    "<head><meta charset=utf-8><link rel=a></head><p>x",
    "<meta charset=utf-8><p>x<meta name=a>",
    "<p>x</body></html><p>y",
    "<p>x</body>y",
    "<!doctype html><!-- c --><html lang=en><!-- c --><head><!-- c --></head><!-- c --><body>x",
    "<body class=a>x<body class=b>y<html class=c>z",
    "<head></head><head><p>x",
    "<head><p>x</head>y",
    "</head>x",
    "</body>x",
    "</html>x",
    "<script>a</script><p>x<script>b</script>y",
    "<head><style>a</style></head><style>b</style>x",
    "<frameset><frame src=a><frame src=b></frameset>",
    # paragraphs
    "<p>a<p>b<p>c",
    "<p>a<div>b</div>c",
    "<p>a<ul><li>b</ul>c",
    "<p>a<h1>b</h1>c",
    "<p>a<hr>b",
    "<p>a<pre>b</pre>c",
    "<p>a<form>b</form>c",
    "<p>a<span>b<div>c</div>d</span>e",
    "<div><p>a</div>b",
    "<p>a<br>b<img>c<input>d<wbr>e",
    "<p>a<section>b<p>c</section>d",
    "<p>a<details><summary>b</summary>c</details>d",
    "<p>a<object><p>b</object>c",
    "<p>a<button>b<p>c</button>d",
    "</p>x",
    "<div></p>x</div>",
    "</br>x",
    "<p>a</br>b",
    # lists
    "<ul><li>a<li>b<li>c</ul>",
    "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>",
    "<ol><li><p>a<li><p>b</ol>",
    "<ul><li><div>a<li>b</ul>",
    "<ul><li><section>a<li>b</section></ul>",
    "<li>a<li>b",
    "<ul><li>a</li></li><li>b</ul>",
    "<ul><li>a<ol></li>b</ol></ul>",
    "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
    "<dl><dt>a<dd><p>b<dt>c</dl>d",
    "<dl><dd><dl><dt>a</dl>b<dd>c</dl>",
    "<dl><div><dt>a<dd>b</div><div><dt>c</div></dl>",
    # headings
    "<h1>a</h2>b",
    "<h1>a<h2>b</h2>c",
    "<h1><span>a</h3>b",
    "<div><h1>a</div>b",
    "</h1>a",
    # end tags that fit nothing, or something further out
    "a</div>b</span>c</p>d",
    "<div><span>a</div>b",
    "<div>a<section>b</div>c",
    "<span><div>a</span>b</div>c",
    "<custom-a><custom-b>a</custom-a>b",
    "<custom-a><div>a</custom-a>b</div>c",
    "<abbr>a<p>b</abbr>c",
    "<section><article>a</section>b",
    "<center>a<address>b</center>c",
    # formatting
    "<p><b>a</b>b",
    "<b><p>a</p></b>b",
    "<p>a<i>b<b>c</b>d</i>e",
    "<a href=x>a<div>b</div>c</a>d",
    "<nobr>a</nobr>b<nobr>c</nobr>",
    # tables
    "<table><tr><td>a<td>b<tr><td>c</table>d",
    "<table><td>a<td>b</table>",
    "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>",
    "<table><caption>a<tr><td>b</table>",
    "<table><caption>a</caption><col><col><tr><td>b</table>",
    "<table><colgroup><col><col><tr><td>a</table>",
    "<table><colgroup></colgroup><tr><td>a</table>",
    "<table><colgroup><col><tbody><tr><td>a</table>",
    "<table><tr><td><table><tr><td>a</table>b</table>c",
    "<table><tr><td>a</tr><tr><td>b</tbody></table>",
    "<table><tr><td>a</table></table>b",
    "<table><tr><td>a</td></tr></table></td></tr>b",
    "<table><tr><td><div>a</td><td>b</table>",
    "<table><tr><td>a</div>b</table>",
    "<table><tr><td><p>a</div>b</table>",
    "<div><table><tr><td>a</div>b</table>c</div>d",
    "<table><tr><td><ul><li>a<td>b</table>",
    "<ul><li><table><tr><td><li>a</table>b</ul>",
    "<table><tr><th>a</td>b</th><td>c</table>",
    "<table><tr><td><h1>a</td></h1></table>",
    "<p>a<tr><td>b</td></tr>c",
    "<div><td>a</td><col>b</div>",
    "<table><tr><td>a</caption>b</table>",
    "<table><tr><td></body></html>a</table>",
    "<!doctype html><p>a<table><tr><td>b</table>c",
    "<p>a<table><tr><td>b</table>c",
    "<!doctype html><table><tr><td><p>a<table><tr><td>b</table>c</table>",
    # forms
    "<form>a<form>b</form>c",
    "<form><div>a</form>b</div>c",
    "<form><p>a</form>b",
    "</form>a",
    "<form>a</form><form>b</form>",
    "<form><table><tr><td></form><form>a</form>b</table>c",
    "<form><table><tr><td>a</form>b</table>c</form>d",
    "<div><form>a</div><form>b</form><form>c</form>",
    "<table><form><tr><td>a<form>b</form>c<form>d</table>e",
    "<template><form>a<form>b</form></template><form>c</form>",
    "<button>a<button>b</button>c",
    "<p><button>a<div>b</div></button>c",
    "<button><span>a</button>b",
    "<div><button>a</div>b</button>",
    "<select><option>a<option>b</select>c",
    "<select><optgroup><option>a<optgroup><option>b</select>c",
    "<select><option>a</option><hr><option>b</select>c",
    "<select><option>a<select>b",
    "<label>a<input>b</label>c",
    "<fieldset><legend>a</legend>b</fieldset>c",
    "<textarea><p>a</textarea>b",
    "<datalist><option>a<option>b</datalist>c",
    # ruby
    "<ruby>a<rp>(<rt>b<rp>)</ruby>c",
    "<ruby>a<rt>b<rt>c</ruby>d",
    # svg and math
    "<svg><g><path/><path></path></g></svg>a",
    "<p><svg><circle/></svg>a",
    "<svg><text>a</text></svg>b",
    "<svg><g>a<p>b",
    "<svg><div>a</div></svg>b",
    "<svg><g><span>a</span></g></svg>b",
    "<svg><foreignObject><p>a<p>b</p></foreignObject><text>c</text></svg>d",
    "<svg><foreignObject><div>a</div></foreignObject></svg>b",
    "<svg><desc><p>a</p></desc><path/></svg>b",
    "<svg><title>a</title><path/></svg>b",
    "<svg><a href=x><text>a</text></a></svg>b",
    "<svg><style>a</style><script>b</script></svg>c",
    "<svg><p>a",
    "<div><svg><g></div>a",
    "<p>a<svg></p>b",
    "<svg></br>a",
    "<svg></p>a",
    "<svg><image/><path/></svg><image>a",
    "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>a",
    "<math><mtext><p>a</p></mtext></math>b",
    "<math><mfrac><mi>x</mi><b>a",
    "<math><annotation-xml encoding='text/html'><p>a</p></annotation-xml></math>b",
    "<table><tr><td><svg><g><tr><td>a</table>b",
    # template and noscript
    "<template><p>a</template>b",
    "<body><template><p>a<div>b</template>c",
    "<template><tr><td>a</td></tr></template>b",
    "<template><li>a<li>b</template>c",
    "<div><template></div>a</template>b</div>c",
    "<table><template><tr><td>a</template><tr><td>b</table>",
    "<template><template>a</template>b</template>c",
    "<body><noscript><img><p>a</p></noscript>b",
    "<body><noscript><div>a</div></noscript><p>b",
    # names
    "<foo>a<bar>b</bar></foo>c",
    "<o:p>a</o:p>b",
    "<p>a<my-card>b<div>c</div></my-card>d",
    "<image>a",
    "<keygen>a",
    "<marquee><p>a</marquee>b",
    "<dialog><p>a</dialog>b",
    "<picture><source><img></picture>a",
    "<video><source><track>a</video>b",
    "<isindex>a",
]


@pytest.mark.parametrize("html", CONFORMING)
def test_the_tree_is_that_of_a_conforming_parser(html: str) -> None:
    assert outline(tamis.parse(html)) == conforming_outline(html)


# What the standard leaves out


def test_html_head_and_body_are_always_there() -> None:
    assert outline(tamis.parse("")) == "html(head body)"
    assert outline(tamis.parse("<title>t</title>x")) == "html(head(title) body('x'))"


def test_elements_without_a_start_tag_are_marked() -> None:
    page = tamis.parse("<head><table><td>x")
    implied = {
        page.tag_name(node)
        for node in range(len(page.nodes))
        if page.nodes.flags[node] & tags.IMPLIED
    }
    assert implied == {"html", "body", "tbody", "tr"}


def test_rows_and_sections_of_a_table_are_implied() -> None:
    assert body("<table><td>a<tr><th>b") == "table(tbody(tr(td('a')) tr(th('b'))))"
    assert body("<table><col><td>a") == "table(colgroup(col) tbody(tr(td('a'))))"


# Paragraphs


@pytest.mark.parametrize(
    "name",
    [
        *("address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div"),
        *("dl", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"),
        *("h6", "header", "hgroup", "main", "menu", "nav", "ol", "p", "pre", "search", "section"),
        *("summary", "ul"),
    ],
)
def test_a_block_ends_an_open_paragraph(name: str) -> None:
    assert body(f"<p>a<{name}>b") == f"p('a') {name}('b')"


@pytest.mark.parametrize("name", ["span", "b", "a", "label", "ins", "my-card", "video", "object"])
def test_an_inline_element_does_not_end_a_paragraph(name: str) -> None:
    assert body(f"<p>a<{name}>b") == f"p('a' {name}('b'))"


def test_a_paragraph_end_tag_alone_makes_an_empty_paragraph() -> None:
    assert body("a</p>b") == "'a' p 'b'"


def test_a_line_break_end_tag_is_a_line_break() -> None:
    page = tamis.parse("<p>a</br>b")
    assert page.block_text(0) == "a\nb"


# Lists and headings


def test_an_item_ends_the_item_before_it_but_not_the_one_around_its_list() -> None:
    assert body("<ul><li>a<ul><li>b<li>c</ul><li>d") == ("ul(li('a' ul(li('b') li('c'))) li('d'))")


def test_terms_and_definitions_end_each_other() -> None:
    assert body("<dl><dt>a<dd>b<dt>c") == "dl(dt('a') dd('b') dt('c'))"


def test_options_end_each_other() -> None:
    assert body("<select><option>a<option>b<optgroup><option>c") == (
        "select(option('a') option('b') optgroup(option('c')))"
    )


def test_the_end_tag_of_any_heading_ends_the_open_one() -> None:
    assert body("<h1>a</h3>b") == "h1('a') 'b'"


# Misnesting


def test_the_text_after_an_early_end_of_a_link_is_not_in_the_link() -> None:
    assert linked("<a href=x>one <div>two</a> three</div> four") == "one two"


def test_a_link_that_a_block_closed_goes_on_after_it() -> None:
    assert linked("<div><a href=x>one</div>two</a> three") == "one two"
    assert linked("<p><a href=x>one<p>two</a>three") == "one two"


def test_a_link_does_not_go_on_in_the_next_cell() -> None:
    assert linked("<table><tr><td><a href=x>one<td>two</table>three") == "one"


def test_a_link_ends_the_link_that_is_open() -> None:
    assert body("<a href=x>a<a href=y>b") == "a('a') a('b')"
    assert linked("<a href=x>one<a>two") == "one"


def test_an_anchor_without_address_is_no_link() -> None:
    assert linked("<a name=x>one</a> <a href=y>two</a> <a onclick='f()'>three</a>") == "two three"


@pytest.mark.parametrize(
    "html",
    [
        '<svg><a href="x"/></svg><p>text',
        '<svg><a href="x"><text>t</text></a></svg><p>text',
        '<p><svg><a href="x"><path/></a></svg>text',
        '<svg><g><a href="x"><path/></g></svg><p>text',
        '<math><mi><a href="x">t</a></mi></math><p>text',
    ],
)
def test_the_text_after_a_link_in_svg_is_not_in_the_link(html: str) -> None:
    assert "text" not in linked(html)


def test_bold_across_blocks_loses_no_text() -> None:
    page = tamis.parse("<b>one<div>two</b>three</div>four<i>five<b>six</i>seven</b>eight")
    assert page.node_text(0).split() == ["one", "twothree", "fourfivesixseveneight"]


def test_an_unclosed_bold_ends_with_its_paragraph_in_the_tree() -> None:
    assert body("<p><b>a<p>b") == "p(b('a')) p('b')"


# Tables and forms


def test_an_end_tag_in_a_cell_does_not_leave_the_cell() -> None:
    assert body("<div><table><td>a</div>b</p>c</table>d</div>e") == (
        "div(table(tbody(tr(td('ab' p 'c')))) 'd') 'e'"
    )


def test_a_cell_end_tag_closes_what_is_open_inside() -> None:
    assert body("<table><tr><td><div><b>a</td><td>b") == (
        "table(tbody(tr(td(div(b('a'))) td('b'))))"
    )


def test_the_end_of_an_inner_table_does_not_end_the_outer_one() -> None:
    assert body("<table><td>a<table><td>b</table>c<td>d</table>e") == (
        "table(tbody(tr(td('a' table(tbody(tr(td('b')))) 'c') td('d')))) 'e'"
    )


def test_text_between_rows_stays_where_it_is_in_the_source() -> None:
    page = tamis.parse("<table>one<tr>two<td>three</table>four")
    assert page.node_text(0).split() == ["one", "two", "three", "four"]


def test_a_form_in_a_form_is_left_out() -> None:
    assert body("<form>a<form>b</form>c") == "form('ab') 'c'"


def test_a_form_ends_early_for_a_form_that_follows() -> None:
    assert body("<div><form><div>a</form><form>b</form></div></div>c") == (
        "div(form(div('a' form('b')))) 'c'"
    )


def test_a_button_ends_the_button_that_is_open() -> None:
    assert body("<button>a<p>b<button>c") == "button('a' p('b')) button('c')"


# Quirks mode

STRICT = [
    "<!doctype html>",
    "<!DOCTYPE HTML>",
    "<!doctype html SYSTEM 'about:legacy-compat'>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://x/loose.dtd">',
    "<!-- comment --><!doctype html>",
]
QUIRKY = [
    "",
    "<!doctype>",
    "<!doctype xhtml>",
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN">',
    '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    "<html><!doctype html>",
]


@pytest.mark.parametrize("doctype", STRICT)
def test_a_table_ends_a_paragraph_in_standards_mode(doctype: str) -> None:
    html = f"{doctype}<p>a<table><td>b</table>"
    assert body(html) == "p('a') table(tbody(tr(td('b'))))"
    assert outline(tamis.parse(html)) == conforming_outline(html)


@pytest.mark.parametrize("doctype", QUIRKY)
def test_a_table_stays_in_its_paragraph_in_quirks_mode(doctype: str) -> None:
    html = f"{doctype}<p>a<table><td>b</table>"
    assert body(html) == "p('a' table(tbody(tr(td('b')))))"
    assert outline(tamis.parse(html)) == conforming_outline(html)


# svg, math, template, noscript


def test_html_elements_break_out_of_svg() -> None:
    assert body("<svg><g><p>a") == "svg(g) p('a')"
    assert body("<math><mfrac><div>a") == "math(mfrac) div('a')"


def test_html_is_html_again_inside_an_integration_point() -> None:
    assert body("<svg><foreignObject><p>a<p>b</p></foreignObject></svg>c") == (
        "svg(foreignobject(p('a') p('b'))) 'c'"
    )


def test_a_slash_closes_an_element_only_in_svg_and_math() -> None:
    assert body("<svg><g/>a</svg>") == "svg(g 'a')"
    assert body("<div/>a") == "div('a')"


def test_the_end_of_a_template_closes_what_is_open_inside() -> None:
    assert body("<div><template><div><b>a</template>b</div>c") == (
        "div(template(div(b('a'))) 'b') 'c'"
    )


def test_the_end_of_a_noscript_closes_what_is_open_inside() -> None:
    assert body("<div><noscript><div><a href=x>a</noscript>b</div>c") == (
        "div(noscript(div(a('a'))) 'b') 'c'"
    )


def test_an_end_tag_inside_a_template_does_not_reach_out_of_it() -> None:
    assert body("<div><template></div>a</template>b</div>") == "div(template('a') 'b')"


# Raw text without an end


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>a<iframe src=x><p>b<iframe src=y><div>c</div>",
            "p('a' iframe) p('b' iframe) div('c')",
        ),
        ("<noembed><p>a</p><noframes><p>b</p>", "noembed p('a') noframes p('b')"),
        ("<p>a</p><textarea>b <i>c</i> <p>d</p>", "p('a') textarea('b<i>c</i>') p('d')"),
        ("<p>a</p><style>.b{}<p>c</p>", "p('a') style p('c')"),
        ("<p>a</p><script src=x><p>b</p>", "p('a') script p('b')"),
        ("<p>a</p><noscript><img src=x><p>b</p>", "p('a') noscript img p('b')"),
        (
            "<p>a</p><script><!-- write('<script>') </script><p>b</p><script src=x></script>",
            "p('a') script p('b') script",
        ),
    ],
)
def test_raw_text_without_an_end_tag_leaves_the_page_its_structure(
    html: str, expected: str
) -> None:
    assert body(f"<body>{html}") == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>a</p><script>var b = '<p>c</p>';",
        "<p>a</p><iframe src=x>b <i>c</i>",
        "<p>a</p><style>.b{}",
        "<p>a</p><xmp><p>b</p>",
        "<p>a</p><textarea>b <i>c</i>",
        "<title>a <b>c</b>",
    ],
)
def test_raw_text_without_an_end_tag_takes_code_and_what_has_no_structure(html: str) -> None:
    assert outline(tamis.parse(html)) == conforming_outline(html)


def test_a_title_without_an_end_tag_ends_before_the_next_tag_of_the_head_or_body() -> None:
    page = tamis.parse("<head><title>The ferry is back<meta name=a><body><p>It left at noon.")
    assert page.title == "The ferry is back"
    assert page.node_text(0) == "It left at noon."


def test_raw_text_inside_a_noscript_ends_with_it() -> None:
    frame = "<noscript><iframe src=x /></noscript>"
    assert body(f"<body>{frame}<p>a</p>{frame}b<p>c</p><iframe></iframe>") == (
        "noscript(iframe) p('a') noscript(iframe) 'b' p('c') iframe"
    )


# Names


def test_unknown_elements_are_elements() -> None:
    assert body("<foo>a<x-y>b</x-y></foo>c") == "foo('a' x-y('b')) 'c'"


@pytest.mark.parametrize("first", string.ascii_lowercase)
def test_every_short_name_is_itself(first: str) -> None:
    void = {
        name for name, traits in zip(tags.NAMES, tags.TRAITS, strict=True) if traits & tags.VOID
    }
    names = [first + second for second in string.ascii_lowercase + string.digits + "-_.:"]
    names = [name for name in names if name not in void | {"td", "th", "tr"}]
    page = tamis.parse("<main>" + "".join(f"<{name}>x</{name}>" for name in names))
    tag_names = [page.tag_name(node) for node in range(len(page.nodes))]
    assert tag_names == ["html", "head", "body", "main", *names]


@pytest.mark.parametrize("name", ["bloe-quote", "lip-", "fo", "v4", "j4", "n+", "f6", "w."])
def test_an_element_is_not_taken_for_another_one(name: str) -> None:
    page = tamis.parse(f"<main><{name}>x")
    assert page.tag_name(len(page.nodes) - 1) == name


def test_names_past_the_limit_share_one() -> None:
    html = "".join(f"<x-{number}>a{number} </x-{number}>" for number in range(3000))
    page = tamis.parse(html)
    assert page.tag_name(3) == "x-0"
    assert page.tag_name(len(page.nodes) - 1) == "?"
    assert page.node_text(0).split() == [f"a{number}" for number in range(3000)]


@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>Ferry newsntById('font');\n<body><p>The ferry is late.",
        "<title>Ferry</titlevalue='1'><p>The ferry is late.</p>",
        "<TITLE lang=en>Ferry <!-- --><p>The ferry is late.</p>",
    ],
)
def test_a_title_that_never_ends_does_not_swallow_the_page(page: str) -> None:
    table = tamis.parse(page)
    assert [table.block_text(block) for block in range(len(table.blocks))] == ["The ferry is late."]
    assert table.title.startswith("Ferry")


def test_a_page_of_nothing_but_a_title_stays_one() -> None:
    table = tamis.parse("<title>Ferry</title>")
    assert (len(table.blocks), table.title, table.source) == (0, "Ferry", b"<title>Ferry</title>")
