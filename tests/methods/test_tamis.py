"""The default method, with whatever weights are shipped: what holds for any sane ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import WeightsError
from tamis.methods.tamis import NOTHING, Tamis, summarize_page
from tamis.model.features import spec
from tamis.model.weights.load import Card, load, path_of_shipped, save
from tamis.options import FOCI
from tamis.page import tags
from tests.uncompiled import from_source

STYLE = "*{box-sizing:border-box}.c{display:flex;margin:0 auto}" * 60
SCRIPT = "window.dataLayer=window.dataLayer||[];function t(){return dataLayer.length}" * 80


def page_of(title: str, body: str, lang: str = "en", style: str = STYLE) -> str:
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<style>{style}</style><script>{SCRIPT}</script></head>{body}</html>"
    )


# Scores


def test_many_pages_at_once_have_the_scores_of_each_alone(sources: dict[str, bytes]) -> None:
    pages = [tamis.parse(source) for source in (b"", *sources.values(), b"<p>one", b"")]
    for page, scores in zip(pages, Tamis().score_many(pages), strict=True):
        assert scores.tobytes() == Tamis().score(page).tobytes()


def test_no_pages_have_no_scores() -> None:
    assert Tamis().score_many([]) == []


def test_scores_are_probabilities(sources: dict[str, bytes]) -> None:
    assert Tamis.calibrated
    scores = np.concatenate(Tamis().score_many(list(map(tamis.parse, sources.values()))))
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.min() < 0.1
    assert scores.max() > 0.9


def test_the_chance_of_nothing_is_a_probability(sources: dict[str, bytes]) -> None:
    for source in sources.values():
        page = tamis.parse(source)
        scores = Tamis().score(page)
        for probabilities in (scores, np.zeros(len(scores)), np.ones(len(scores))):
            for expected in (0.0, 0.5, 1.0):
                assert 0 <= Tamis().chance_of_nothing(page, probabilities, expected) <= 1


def test_a_page_without_blocks_surely_has_nothing() -> None:
    assert Tamis().chance_of_nothing(tamis.parse(""), np.zeros(0), 0.0) == 1.0


def test_the_summary_of_a_page_is_what_its_names_say() -> None:
    numbers = summarize_page(0.8, np.array([0.1, 0.9]), np.array([10.0, 10.0]), 99)
    assert len(numbers) == len(NOTHING)
    np.testing.assert_allclose(numbers, [np.log(4), np.log(11), np.log(21), 0.9, np.log(100)])
    for words in ([0.0, 0.0], [1e9, 1e9]):
        for odds in ([0.0, 0.0], [1.0, 1.0]):
            assert np.isfinite(summarize_page(odds[0], np.array(odds), np.array(words), 0)).all()


# The focus


def test_precision_keeps_no_more_and_recall_no_less_than_balanced(folder: Path) -> None:
    page = tamis.parse((folder / "source.html").read_bytes())
    kept = [tamis.extract(page, options=tamis.Options(focus=focus)).kept for focus in FOCI]
    assert not (kept[0] & ~kept[1]).any()
    assert not (kept[1] & ~kept[2]).any()


# Short pages and hidden content


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>A tamis is a sieve.</p>", "A tamis is a sieve."),
        ("<p>Ein Tamis ist ein feines Sieb.", "Ein Tamis ist ein feines Sieb."),
        ("<p>ตะแกรงร่อนแป้งมีตาข่ายละเอียด</p>", "ตะแกรงร่อนแป้งมีตาข่ายละเอียด"),
        ("<h1>Sieves</h1><p>A tamis is a sieve.</p>", "Sieves\nA tamis is a sieve."),
    ],
)
def test_a_short_fragment_gives_its_text(html: str, text: str) -> None:
    assert tamis.extract(html).text == text


def test_a_small_page_without_scripts_gives_its_text() -> None:
    listing = "".join(
        f'<span class="line"><span class="ln">{n}</span>x{n} = sieve({n})</span>\n'
        for n in range(20)
    )
    page = (
        "<html><head><title>Sieves in Python</title></head><body><article><h1>Sieves</h1>"
        f"<p>This is how a sieve is made of lines.</p><pre><code>{listing}</code></pre>"
        "<p>That is all there is to it.</p></article></body></html>"
    )
    assert 1000 < len(page) < 4000
    assert "That is all there is to it." in tamis.extract(page).text


POSTS = (
    "Has anyone here replaced the pump of an older coffee machine without opening the boiler? Mine"
    " hums for a while and then stops, and the manual says nothing about it.",
    "Yes, twice. You take off the back plate first, then the two screws that hold the bracket. The"
    " pump itself only sits in rubber rings, so no tool is needed after that.",
    "Before you order a new one, pour a glass of water with some vinegar through it. Half of the"
    " time it is only lime in the valve behind the pump, and that costs nothing.",
    "It was the valve indeed. I left the vinegar in over night and the noise is gone, thank you"
    " both; the old pump will stay where it is for some years, I hope.",
)


def discourse_page() -> str:
    """A thread as Discourse serves it: a shell, and the posts in noscript for machines."""
    topics = ", ".join(f'{{"id":{n},"slug":"t{n}","posts_count":{n}}}' for n in range(200))
    posts = "".join(
        f"""
      <div id='post_{number}' class='topic-body crawler-post'>
        <div class='crawler-post-meta'>
          <span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person">
            <a itemprop="url" href='https://talk.beans.example/u/user{number}'>
              <span itemprop='name'>user{number}</span></a>
          </span>
          <span class="crawler-post-infos">
            <time datetime='2023-03-0{number}T09:12:44Z' class='post-time'>
              March {number}, 2023,  9:12am </time>
            <span itemprop='position'>{number}</span>
          </span>
        </div>
        <div class='post' itemprop='text'>
          <p>{text}</p>
        </div>
        <div itemprop="interactionStatistic" itemscope>
          <meta itemprop="userInteractionCount" content="{number}" />
          <span class='post-likes'>{number} Likes</span>
        </div>
      </div>"""
        for number, text in enumerate(POSTS, 1)
    )
    body = f"""<body class="crawler browser-update">
  <discourse-assets-json><div class="hidden" id="data-preloaded"
    data-preloaded='{{"topics":[{topics}]}}'></div></discourse-assets-json>
  <section id='main'>
  </section>
  <noscript data-path="/t/pump/4711">
    <header class="d-header">
      <a href="https://talk.beans.example/"> <h2>Beans and Machines</h2> </a>
    </header>
    <div id="main-outlet" class="wrap" role="main">
      <div id="topic-title"><h1>
        <a href="/t/pump/4711">The pump of my coffee machine hums and then stops</a></h1>
        <div class="topic-category"><span class='category-title'>
          <a href='/c/repair/7'>Repair</a></span></div>
      </div>
      <div itemscope itemtype='http://schema.org/DiscussionForumPosting'>
        <meta itemprop='headline' content='The pump of my coffee machine hums and then stops'>
        {posts}
      </div>
    </div>
    <footer class="container wrap">
      <nav class='crawler-nav'><ul>
        <li><a href='/' itemprop="url">Home </a></li>
        <li><a href='/categories' itemprop="url">Categories </a></li>
        <li><a href='/guidelines' itemprop="url">Guidelines </a></li>
        <li><a href='/tos' itemprop="url">Terms of Service </a></li>
        <li><a href='/privacy' itemprop="url">Privacy Policy </a></li>
      </ul></nav>
      <p class='powered-by-link'>Powered by <a href="https://d.example">the forum software</a>,
        best viewed with JavaScript enabled</p>
    </footer>
  </noscript>
</body>"""
    return page_of("The pump hums and then stops - Repair - Beans and Machines", body)


def test_a_thread_in_noscript_is_found_where_the_visible_page_is_a_shell() -> None:
    result = tamis.extract(discourse_page())
    assert (result.page.blocks.flags & tags.HIDDEN != 0).all()
    text = " ".join(result.text.split())
    assert [post for post in POSTS if post not in text] == []
    assert "Terms of Service" not in text


def test_hidden_boilerplate_of_an_article_is_not_kept() -> None:
    paragraphs = "".join(f"<p>{post}</p>" for post in POSTS)
    body = (
        "<body><nav><ul><li><a href=/>Home</a><li><a href=/shop>Shop</a></ul></nav>"
        f"<main><article><h1>The pump</h1>{paragraphs}</article></main>"
        '<div class="modal" style="display:none"><h2>Newsletter</h2><p>Sign up and get our best'
        " offers every week, straight to your inbox.</p></div>"
        "<noscript><p>Please turn on JavaScript to see the comments.</p></noscript></body>"
    )
    text = tamis.extract(page_of("The pump", body)).text
    assert [post for post in POSTS if post not in text] == []
    assert "Sign up" not in text


# Pages that have nothing to extract


FOOTER = "".join(f'<li><a href="/{n}">{n}</a></li>' for n in "About Careers Terms Privacy".split())
BLOCKED = {
    "challenge": page_of(
        "Just a moment...",
        '<body class="no-js"><div class="main-wrapper" role="main"><div class="main-content">'
        "<noscript><div class='h2'><span id='challenge-error-text'>Enable JavaScript and cookies to"
        " continue</span></div></noscript></div></div>"
        f"<script>(function(){{window._opt={{md:'{'aZ09' * 900}'}}}}())</script></body>",
    ),
    "access denied": page_of(
        "Access Denied",
        "<body><h1>Access Denied</h1>\nYou don't have permission to access \"http://www.shop.example"
        '/p/4711" on this server.<p>Reference #18.8d6a1402.1700000000.1a2b3c4d</p></body>',
        style="",
    ),
    "blocked": page_of(
        "Attention Required!",
        '<body><div id="cf-wrapper"><div class="cf-alert" id="cookie-alert">Please enable cookies.'
        '</div><div id="error-details" class="cf-error-wrapper"><div class="header-section">'
        '<h1>Sorry, you have been blocked</h1><h2 class="subheadline"><span>You are unable to'
        ' access</span> shop.example</h2></div><div class="two column"><div class="column"><h2>Why'
        " have I been blocked?</h2><p>This website is using a security service to protect itself"
        " from online attacks. The action you just performed triggered the security solution.</p>"
        '</div><div class="column"><h2>What can I do to resolve this?</h2><p>You can email the site'
        " owner to let them know you were blocked.</p></div></div><div class='footer'><p><span>Ray"
        " ID: <strong>7d2f9a1b3c4e5f60</strong></span> <span>Your IP: 203.0.113.7</span></p></div>"
        "</div></div></body>",
    ),
    "not found, German": page_of(
        "Seite nicht gefunden",
        '<body class="error404"><header><nav><ul><li><a href="/">Startseite</a></li><li><a href="'
        '/politik">Politik</a></li><li><a href="/sport">Sport</a></li></ul></nav></header><main>'
        "<h1>Fehler 404</h1><p>Die angeforderte Seite wurde leider nicht gefunden.</p><a href='/'>"
        f"Zur Startseite</a></main><footer><ul>{FOOTER}</ul></footer></body>",
        "de",
    ),
    "consent, French": page_of(
        "Avant de continuer",
        '<body><div class="consent-wall" role="dialog" aria-modal="true"><h2>Votre vie privée nous'
        " tient à cœur</h2><p>Nous et nos 812 partenaires stockons des informations sur votre"
        " appareil, telles que les cookies, et traitons des données personnelles.</p><button>Tout"
        " accepter</button><button>Tout refuser</button><button>Paramétrer</button></div></body>",
        "fr",
    ),
    "robot check, Russian": page_of(
        "Вы не робот?",
        '<body><form id="checkbox-captcha-form"><div class="CheckboxCaptcha"><h1>Подтвердите, что'
        " запросы отправляли вы, а не робот</h1><p>Нам очень жаль, но запросы с вашего устройства"
        ' похожи на автоматические.</p><label>Я не робот</label><input type="submit"></div></form>'
        "</body>",
        "ru",
    ),
    "shell, Japanese": page_of(
        "読み込み中",
        "<body><noscript>このページを表示するにはJavaScriptを有効にしてください。</noscript>"
        '<div id="root"><div class="spinner">読み込み中…</div></div></body>',
        "ja",
    ),
    "login": page_of(
        "Log in",
        '<body><div id="login"><h2>Log in to continue</h2><form action="/login" method="post">'
        "<label>Email</label><input name=a><label>Password</label><input type=password><button>Log"
        f" in</button></form><p>New here? <a href=/join>Sign up</a></p></div><ul>{FOOTER}</ul>"
        "</body>",
    ),
}


@pytest.mark.parametrize("html", BLOCKED.values(), ids=BLOCKED.keys())
def test_a_page_that_refuses_gives_an_empty_result(html: str) -> None:
    result = tamis.extract(html)
    assert result.text == ""
    assert not result.kept.any()


@pytest.mark.parametrize("html", BLOCKED.values(), ids=BLOCKED.keys())
def test_a_threshold_shows_what_a_page_that_refuses_says(html: str) -> None:
    assert tamis.extract(html, options=tamis.Options(threshold=0)).kept.all()


# Weights


def shipped_arrays() -> dict[str, Any]:
    return dict(load(path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).arrays)


def with_weights(folder: Path, arrays: dict[str, Any], version: int = spec.VERSION) -> Tamis:
    path = folder / "changed.npz"
    save(path, arrays, Card(method="tamis", spec=version, features=spec.NAMES, training_sets={}))
    return Tamis(weights=str(path))


def test_shipped_weights_are_for_the_features_there_are() -> None:
    card = load(path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).card
    assert card.features == spec.NAMES


def test_weights_that_were_saved_again_give_the_same_scores(tmp_path: Path) -> None:
    page = tamis.parse(discourse_page())
    again = with_weights(tmp_path, shipped_arrays())
    np.testing.assert_array_equal(again.score(page), Tamis().score(page))
    options = tamis.Options(parameters={"weights": again.weights})
    assert tamis.extract(page, options=options).text == tamis.extract(page).text


@pytest.mark.parametrize("missing", sorted(shipped_arrays()))
def test_weights_without_an_array_are_refused(missing: str, tmp_path: Path) -> None:
    arrays = shipped_arrays()
    del arrays[missing]
    with pytest.raises(WeightsError, match=missing.replace(".", r"\.")):
        with_weights(tmp_path, arrays).score(tamis.parse("<p>x"))


def _falling(values: np.ndarray) -> np.ndarray:
    return values[::-1].copy()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("calibration.odds", _falling),
        ("calibration.probability", _falling),
        ("calibration.odds", np.zeros_like),
        ("calibration.odds", lambda values: values[1:]),
        ("calibration.odds", lambda values: values * np.nan),
        ("calibration.probability", lambda values: values * np.nan),
        ("calibration.probability", lambda values: values[:0]),
        ("nothing", lambda values: values[1:]),
        ("nothing", lambda values: values * np.nan),
        ("tokens.token", lambda values: values[1:]),
        ("tokens.weight", lambda values: values * np.nan),
        ("forest.value", lambda values: values[1:]),
        ("forest.feature", lambda values: values[1:]),
        ("forest.feature", lambda values: values + 10_000),
    ],
)
def test_damaged_weights_are_refused(name: str, change: Any, tmp_path: Path) -> None:
    arrays = shipped_arrays()
    arrays[name] = change(arrays[name])
    with pytest.raises(WeightsError):
        with_weights(tmp_path, arrays).score(tamis.parse("<p>x"))


def test_weights_for_other_features_are_refused(tmp_path: Path) -> None:
    method = with_weights(tmp_path, shipped_arrays(), spec.VERSION + 1)
    with pytest.raises(WeightsError, match="version"):
        method.score(tamis.parse("<p>x"))


def test_weights_of_another_method_are_refused() -> None:
    with pytest.raises(WeightsError, match="weights of method 'dragnet', not of 'tamis'"):
        Tamis(weights=path_of_shipped("dragnet")).score(tamis.parse("<p>x"))


def test_a_card_that_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    method = with_weights(tmp_path, shipped_arrays())
    path = Path(method.weights).with_suffix(".json")
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "sha256": "0"}), "utf-8")
    with pytest.raises(WeightsError, match="checksums differ"):
        method.score(tamis.parse("<p>x"))


# Without a compiler


def test_scores_are_the_same_without_compiled_modules() -> None:
    pages = [tamis.parse(html) for html in (discourse_page(), "<p>A tamis is a sieve.", "")]
    (uncompiled,) = from_source("methods.tamis")
    for ours, theirs in zip(
        Tamis().score_many(pages), uncompiled.Tamis().score_many(pages), strict=True
    ):
        np.testing.assert_allclose(theirs, ours, atol=1e-5)
