"""What each method says a score rests on; the numbers are worked out by hand beside the tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.methods.fitted import fitted

import tamis
from tamis._runtime import limits
from tamis.errors import DeadlineError, MethodError
from tamis.methods import _registry
from tamis.methods._base import Indexes, Method, Scores, visible_blocks
from tamis.methods._shared.site_method import SiteMethod
from tamis.methods.baseline import Baseline
from tamis.methods.boilerpipe import Boilerpipe
from tamis.methods.dragnet import linear_account
from tamis.methods.site.infodiscoverer import Infodiscoverer
from tamis.methods.text_block_context import BINARY_NAMES, SPEC
from tamis.model.weights.decision_tree import LEAF
from tamis.model.weights.load import Card, save

# Characters without spaces: 4, 88, 10; words: 1, 20, 3; tags before: 4, 7, 9.
NOTICE = (
    "<title>Ferry</title><nav><a href=/>Home</a></nav>"
    "<p>The ferry crosses the sound in nine minutes and nobody on either shore has missed the old"
    " diesel since May.</p><p>It is quiet.</p>"
)


def because(html: str, method: str | Method, **parameters: Any) -> list[str]:
    """What is said about each block, after the decision."""
    result = tamis.extract(html, method=method, parameters=parameters)
    return [reason.because for reason in result.reasons]


def test_the_baseline_has_one_sentence() -> None:
    sentences = because("<p>Shown.<p hidden>Not shown.", "baseline")
    assert sentences == [
        "A browser shows it, and this method keeps all that one shows.",
        "A browser does not show it.",
    ]


def test_boilerpipe_gives_the_path_in_its_tree() -> None:
    assert because(NOTICE, "boilerpipe") == [
        "The tree: 100% of its words are links (above 33.3%): not content.",
        "The tree: 0% of its words are links (at most 33.3%), 100% of those before are (above"
        " 55.6%), it has 20 words (at most 40), the block after has 3 words (at most 17): not"
        " content.",
        "The tree: 0% of its words are links (at most 33.3%), 0% of those before are (at most"
        " 55.6%), it has 3 words (at most 16), the block after has 0 words (at most 15), the block"
        " before has 20 words (above 4): content.",
    ]


def test_boilerpipe_by_density_gives_words_a_line() -> None:
    assert because(NOTICE, "boilerpipe", variant="density")[1] == (
        "The tree: 0% of its words are links (at most 33.3%), 100% of those before are (above"
        " 55.6%), the block after has 3 words a line (at most 11): not content."
    )


@pytest.mark.parametrize("variant", ["numwords", "density"])
def test_the_path_of_boilerpipe_ends_at_its_score(variant: str, folder: Path) -> None:
    page, method = tamis.parse((folder / "source.html").read_bytes()), Boilerpipe(variant)
    blocks = visible_blocks(page)
    ends = [": content." in sentence for sentence in method.because(page, blocks)]
    assert ends == (method.score(page)[blocks] == 1).tolist()


def test_bte_says_where_a_block_is_of_the_best_segment() -> None:
    # From the second to the third run: 20 + 3 words and the tags </p><p>.
    assert because(NOTICE, "bte") == [
        f"It is {place} the best segment, of 23 words and 2 tags."
        for place in ("before", "inside", "inside")
    ]


def test_bte_of_many_segments_gives_the_slope() -> None:
    # The third run is at tokens 30 to 33 of 33, its middle 31.5, its window 6.5 to 33. The curve
    # is 5.5 at 6.5 (4 at token 5, 7 at token 8) and 9 at the end: 3.5 tags in 26.5 tokens.
    # Low is one third, since half of the page's own slope is 0.5 * 9 / 33.
    assert because(NOTICE, "bte", variant="many")[2] == (
        "The slope around it is 0.13 tags a token; low is up to 0.33."
    )


def test_cetr_gives_the_ratio_its_smoothing_and_the_nearest_centroid() -> None:
    # Ratios 4/4, 88/3 and 10/2. With weights 1, 0.607 and 0.135 the first becomes
    # (1 + 0.607 * 29.33 + 0.135 * 5) / 1.742 = 11.2, the others 14.9 and 13.2. Derivatives 2.85,
    # -1.74 and 0, smoothed 1.03, 0.00 and 0.38. All three are in one cluster: 13.1, 0.5.
    assert because(NOTICE, "cetr")[0] == (
        "Its tag ratio of 1.0, smoothed 11.2, with a derivative of 1.0 is nearest to the centroid"
        " 13.1, 0.5: content."
    )


def test_cetr_by_lines_gives_those_of_the_line() -> None:
    # One line has the menu, 4 letters and 4 tags, the other one 98 letters and 4 tags.
    first, second = NOTICE.split("</nav>")
    sentences = because(f"{first}</nav>\n{second}", "cetr", unit="line", deviation=0.0)
    assert sentences[0].startswith("Its longest text is on a line whose tag ratio of 0.7,")
    assert sentences[1].startswith("Its longest text is on a line whose tag ratio of 24.5,")


def test_cetd_gives_the_density_of_its_element_and_the_largest_sum() -> None:
    # Characters over tags: p 88 and 10, nav 4 / 1; body 102 / 4, the sum of its parts 102. The
    # body has the least density, 25.5, on its own path.
    sentences = because(NOTICE, "cetd", density="text")
    around = "the body whose parts have the largest sum of densities, 102.0."
    assert sentences[1] == f"Its p has a density of 88.0; it is in {around}"
    assert sentences[2] == f"Its p has a density of 10.0; it is in {around}"


def test_textsweeper_gives_the_ratios_and_the_net_text() -> None:
    # 88 ** 0.5 * 88 / (1 tag + depth 2) = 275.2, nine tenths of which are 247.7.
    assert because(NOTICE, "textsweeper") == [
        "Its nav has a ratio of 0.0; it is outside the p that holds every ratio above 247.7.",
        "It is inside the p that holds every ratio above 247.7; 88 characters of net text, below"
        " 700.",
        "Its p has a ratio of 10.5; it is outside the p that holds every ratio above 247.7.",
    ]


def test_textsweeper_says_what_was_cleaned_away_and_why() -> None:
    story = "<p>" + "The ferry crosses the sound in nine minutes. " * 20 + "</p>"
    links = "<div><a href=/a>All the ferries of the county</a> listed</div>"  # 24 of 30
    page = f"<article>{story}<p>Photo</p>{links}{story}</article><form><p>Your name</form>"
    sentences = because(page, "textsweeper")
    assert sentences[1].endswith(", but its p has 5 characters, fewer than 10.")
    assert sentences[2].endswith(", but 80% of its div are links, more than 50%.")
    assert sentences[-1] == "It is in a form."
    nothing = because("<p><a href=x>A link</a>", "textsweeper")
    assert nothing == ["No element of the page has text outside of links."]


def test_xpath_blocks_gives_the_anchor_ratio_and_the_text_of_the_group() -> None:
    # 3 leaves of 102 letters, 1 of them a link of 4: 0.75 * 4 / 102 + 0.25 / 3 = 0.11.
    assert because(NOTICE, "xpath_blocks")[2] == (
        "The body around it has 3 leaf texts, 1 of them in links; its anchor ratio is 0.11, below"
        " 0.6. Its group has 100% of the plain text of the richest, at least 20%."
    )


def test_xpath_blocks_says_what_a_leaf_fails_by() -> None:
    menu = "<ul><li><a href=/n>News</a><li><a href=/s>Sport</a></ul>"
    side = "<aside><p>Printed on the quay.</p><p>Since 1887.</p></aside>"  # 27 letters
    story = "<main><p>" + "The ferry crosses the sound. " * 9 + "<p>It is quiet.<p>x</main>"
    foot = "<footer><p>Copyright Courier<p>All on board</footer>"
    sentences = because(menu + side + story + foot, "xpath_blocks", least_group=0.5)
    assert sentences[0] == (
        "The ul around it has 2 leaf texts, 2 of them in links; its anchor ratio is 1.00, not below"
        " 0.6."
    )
    # The richest group has 9 * 24 + 10 letters.
    assert sentences[2].endswith(
        "Its group has 12% of the plain text of the richest, less than 50%."
    )
    assert sentences[6] == "It has 1 character, fewer than 2."
    assert sentences[7].endswith("But it begins like a footer.")


def test_dragnet_gives_the_largest_contributions(tmp_path: Path) -> None:
    # -1 + 0.1 * 3 words a line of the third block; -1 + 0.1 - 2 for the menu.
    coefficients = np.array([0, 0.1, 0, 0, -2.0, 0])
    arrays = {
        "blocks": np.array("text"),
        "tokens": np.array(["class:nav"]),
        "st.intercept": np.array(-1.0),
    }
    card = Card(method="dragnet", spec=1, features=(), training_sets={})
    save(tmp_path / "st.npz", {**arrays, "st.coefficients": coefficients}, card)
    path = str(tmp_path / "st.npz")
    sentences = because(NOTICE, "dragnet", features="st", weights=path)
    assert sentences[0] == (
        "Log odds -2.90: -1.00 for any block, -2.00 by link density 1, +0.10 by text density 1,"
        " +0.00 by the rest."
    )
    assert sentences[2] == (
        "Log odds -0.70: -1.00 for any block, +0.30 by text density 3, +0.00 by the rest."
    )


def test_the_log_odds_of_dragnet_are_those_of_its_score(folder: Path) -> None:
    page, method = tamis.parse((folder / "source.html").read_bytes()), fitted("dragnet")
    blocks = visible_blocks(page)
    scores = method.score(page)[blocks]
    for sentence, score in zip(method.because(page, blocks), scores, strict=True):
        odds = float(sentence.split()[2].rstrip(":"))
        assert 1 / (1 + np.exp(-odds)) == pytest.approx(score, abs=0.01)


def test_dragnet_as_published_explains_the_block_that_holds_most_of_it(tmp_path: Path) -> None:
    # Up to the first p is one block of the paper, with the menu and the title.
    arrays = {
        "tokens": np.array(["class:nav"]),
        "ic.intercept": np.array(0.5),
        "ic.coefficients": np.array([-2.0]),
        "blocks": np.array("paper"),
    }
    card = Card(method="dragnet", spec=1, features=(), training_sets={})
    save(tmp_path / "ic.npz", arrays, card)
    page = NOTICE.replace("<nav>", "<nav class=main-nav>")
    parameters = {"features": "ic", "weights": str(tmp_path / "ic.npz"), "blocks": "paper"}
    sentences = because(page, "dragnet", **parameters)
    assert sentences[0] == (
        "Log odds -1.50: +0.50 for any block, -2.00 by class “nav”, +0.00 by the rest."
    )
    assert sentences[2] == "Log odds +0.50: +0.50 for any block, +0.00 by the rest."


def test_braces_in_a_name_of_dragnet_mean_themselves() -> None:
    names, table = ["class:{0.__class__} {", "words_{0}"], np.array([[1.0, 2.0]])
    assert linear_account(names, table, np.array([-2.0]), 0.5) == [
        "Log odds -5.50: +0.50 for any block, -4.00 by words {0} 2, -2.00 by class"
        " “{0.__class__} {”, +0.00 by the rest."
    ]


def test_text_block_context_gives_the_path_of_its_largest_unit(tmp_path: Path) -> None:
    #  word density of it > 2.5, then > 8.5; then in p; then link density before > 0.5
    words, in_p, links = (
        BINARY_NAMES.index(name)
        for name in ("word_density[+0]", "parent=p[+0]", "link_density[-1]")
    )
    arrays = {
        "feature": np.array([words, LEAF, words, LEAF, in_p, LEAF, links, LEAF, LEAF]),
        "threshold": np.array([2.5, 0, 8.5, 0, 0.5, 0, 0.5, 0, 0]),
        "left": np.array([1, -1, 3, -1, 5, -1, 7, -1, -1]),
        "right": np.array([2, -1, 4, -1, 6, -1, 8, -1, -1]),
        "value": np.array([0, 0.1, 0, 0.25, 0, 0.3, 0, 0.9, 0.5]),
    }
    card = Card(method="text_block_context", spec=SPEC, features=BINARY_NAMES, training_sets={})
    save(tmp_path / "tree.npz", arrays, card)
    page = NOTICE + "<p><b>Nine</b> minutes it takes</p><p>***</p>"
    sentences = because(page, "text_block_context", weights=str(tmp_path / "tree.npz"))
    assert sentences == [
        "It ends at a leaf of the tree with 10% content: itself: word density 1 (at most 2.5).",
        "It ends at a leaf of the tree with 50% content: itself: word density 20 (above 8.5), in p;"
        " the block before: link density 1 (above 0.5).",
        "It ends at a leaf of the tree with 25% content: itself: word density 3 (2.5 to 8.5).",
        "The largest of its 2 text blocks, 3 words, ends at a leaf of the tree with 25% content:"
        " itself: word density 3 (2.5 to 8.5).",
        "It has no words.",
    ]


def test_what_the_parent_is_not_goes_without_saying_where_it_is_known(tmp_path: Path) -> None:
    # A split by parent is a chain: not in li, then not in a, then in p or not.
    in_li, in_a, in_p = (BINARY_NAMES.index(f"parent={name}[+0]") for name in ("li", "a", "p"))
    arrays = {
        "feature": np.array([in_li, in_a, LEAF, in_p, LEAF, LEAF, LEAF]),
        "threshold": np.array([0.5, 0.5, 0, 0.5, 0, 0, 0]),
        "left": np.array([1, 3, -1, 5, -1, -1, -1]),
        "right": np.array([2, 4, -1, 6, -1, -1, -1]),
        "value": np.array([0, 0, 0.1, 0, 0.2, 0.3, 0.9]),
    }
    card = Card(method="text_block_context", spec=SPEC, features=BINARY_NAMES, training_sets={})
    save(tmp_path / "tree.npz", arrays, card)
    sentences = because(
        "<p>Nine minutes</p><h1>Ten</h1>", "text_block_context", weights=str(tmp_path / "tree.npz")
    )
    assert sentences == [
        "It ends at a leaf of the tree with 90% content: itself: in p.",
        "It ends at a leaf of the tree with 30% content: itself: not in li, not in a, not in p.",
    ]


SITE = [
    f"<p>Menu, search, imprint, login.<p>{story}"
    for story in ("Rain floods forty cellars.", "A choir wins silver.", "The bakery closes.")
]
# These pages do not say their language, so their stop words are not known.
ENTROPY = f"the border is {Infodiscoverer().threshold_with_stop_words:.2f}."
ON_ALL, ON_ONE = "It is on 3 of 3 pages (a, b, c); ", "It is on 1 of 3 pages (a); "


@pytest.mark.parametrize(
    ("name", "menu", "story"),
    [
        # 20% of three pages, at least two: the border is 1/2. The menu is on three: 1/3.
        ("x_cex", "IBDF 0.33, the border is 0.50.", "IBDF 1.00, the border is 0.50."),
        ("content_extractor", "IBDF 0.33, the border is 0.50.", "IBDF 1.00, the border is 0.50."),
        # Words as frequent on all pages have the entropy 1, words of one page 0.
        ("infodiscoverer", f"entropy 1.00, {ENTROPY}", f"entropy 0.00, {ENTROPY}"),
    ],
)
def test_site_methods_name_the_pages_that_share_a_block(name: str, menu: str, story: str) -> None:
    method = _registry.create(name, {})
    assert isinstance(method, SiteMethod)
    method = method.fit([tamis.parse(page) for page in SITE], "abc")
    assert because(SITE[0], method) == [ON_ALL + menu, ON_ONE + story]


def test_xpath_site_adds_the_pages_to_the_rules_of_the_page() -> None:
    # Two of three pages make a template; the menu is on all three.
    method = _registry.create("xpath_site", {})
    assert isinstance(method, SiteMethod)
    method = method.fit([tamis.parse(page) for page in SITE], "abc")
    menu, story = because(SITE[0], method)
    assert menu == (
        f"{ON_ALL}share of the pages 1.00, the border is 0.67. The body around it has"
        " 2 leaf texts, 0 of them in links; its anchor ratio is 0.00, below 0.6. But it is noise."
    )
    assert story.startswith(f"{ON_ONE}share of the pages 0.33, the border is 0.67. ")


def test_the_style_tree_gives_the_importance_of_the_element_at_its_place() -> None:
    # Both places are on all pages; the words of one are the same there, those of the other differ.
    method = _registry.create("site_style_tree", {})
    assert isinstance(method, SiteMethod)
    method = method.fit([tamis.parse(page) for page in SITE], "abc")
    border = "the border is 0.90."
    assert because(SITE[0], method) == [
        f"{ON_ALL}importance 0.00, {border}",
        f"{ON_ALL}importance 1.00, {border}",
    ]


def test_of_very_many_pages_three_are_named() -> None:
    method = _registry.create("x_cex", {})
    assert isinstance(method, SiteMethod)
    pages = [f"<p>Menu, search, imprint, login.<p>Number {n} of {n * n}." for n in range(9)]
    method = method.fit([tamis.parse(page) for page in pages], "abcdefghi")
    assert because(pages[0], method)[0].startswith("It is on 9 of 9 pages (a, b, c and 6 more); ")


def test_a_site_of_the_default_method_adds_its_pages_to_the_signals() -> None:
    site = tamis.Site().fit([(page, f"https://e.org/{n}") for n, page in enumerate(SITE)])
    reason = tamis.extract(SITE[0], method=site).reasons[0]
    assert reason.signals
    assert "That is the page alone; 3 pages of the site count too. It is on " in reason.because


# Methods of others


class Long(Baseline):
    """A method that says nothing about its scores."""

    def because(self, page: tamis.Page, blocks: Indexes) -> list[str]:
        return []


class Wordy(Method):
    """A method with an account, of which it may have the wrong number."""

    def __init__(self, *sentences: str) -> None:
        self.sentences = sentences

    def score(self, page: tamis.Page) -> Scores:
        return np.ones(len(page.blocks))

    def because(self, page: tamis.Page, blocks: Indexes) -> Sequence[str]:
        return self.sentences


def test_a_method_without_an_account_gives_its_score_and_the_facts() -> None:
    reason = tamis.extract(NOTICE, method=Long()).reasons[0]
    assert reason.signals == ()
    assert reason.text == (
        "Kept: 1.00, above this page's cut of 0.50. Method Long gave it that score; it has 1 word,"
        " 100% of them in links."
    )


def test_a_method_is_asked_for_the_blocks_that_are_shown() -> None:
    method = Wordy("First.", "Second.")
    assert because("<p>x<p hidden>y<p>z", method) == [
        "First.",
        "A browser does not show it.",
        "Second.",
    ]


def test_another_number_of_reasons_than_of_blocks_is_an_error() -> None:
    with pytest.raises(MethodError, match="method Wordy gave 1 reasons for 2 blocks"):
        because("<p>x<p>y", Wordy("First."))


# All of them


@pytest.mark.parametrize("name", tamis.list_methods())
def test_every_method_explains_every_block(name: str, folder: Path) -> None:
    result = tamis.extract((folder / "source.html").read_bytes(), method=fitted(name))
    sentences = [reason.because for reason in result.reasons]
    assert len(sentences) == len(result.blocks)
    assert all(
        sentence.endswith(".") and "gave it that score" not in sentence for sentence in sentences
    )


WITHOUT_A_LOOP = {"baseline", "bte", "tamis"}


@pytest.mark.parametrize("name", sorted(set(tamis.list_methods()) - WITHOUT_A_LOOP))
def test_the_deadline_holds_inside_the_account(name: str) -> None:
    method = fitted(name)
    page = tamis.parse("<p>Words of a page. Read more</p>" * 1000)
    method.because(page, np.arange(1000))  # what is loaded once
    with pytest.raises(DeadlineError), limits.within(1e-9):
        method.because(page, np.arange(1000))
