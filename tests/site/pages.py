"""Pages of sites that do not exist, in several languages, with what real ones have around them."""

from __future__ import annotations

from random import Random

_WORDS = {
    "en": "ferry harbour morning fog hills cape sound people bridge winter storm river".split(),
    "de": "Fähre Hafen Morgen Nebel Hügel Leute Brücke Winter Sturm Fluss Feld Straße".split(),
    "ru": "паром гавань утро туман холмы мыс люди мост зима буря река поле".split(),
}
_MENU = {
    "en": ("Home", "News", "Sport", "Weather", "Subscribe"),
    "de": ("Start", "Nachrichten", "Sport", "Wetter", "Abonnieren"),
    "ru": ("Главная", "Новости", "Спорт", "Погода", "Подписка"),
}
PROMOTION = "Join our weekly letter and read the best of the harbour every Friday, free of charge."


def sentence(draw: Random, count: int, language: str = "en") -> str:
    return " ".join(draw.choices(_WORDS[language], k=count)).capitalize() + "."


def article(number: int, language: str = "en", promotion: str = PROMOTION) -> str:
    """An article of a small newspaper; the promotion looks like a paragraph."""
    draw = Random(f"{language} {number}")
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in _MENU[language])
    paragraphs = [f"<p>{sentence(draw, 40, language)}</p>" for _ in range(draw.randrange(4, 9))]
    paragraphs.insert(3, f"<p>{promotion}</p>")
    related = "".join(
        f'<li><a href="/{draw.randrange(9999)}">{sentence(draw, 6, language)}</a></li>'
        for _ in range(5)
    )
    title = sentence(draw, 6, language)
    return (
        f"<html lang={language}><head><meta charset=utf-8><title>{title}</title></head><body>"
        "<div id=cookies><p>We use cookies. <button>Accept</button></p></div>"
        f"<nav class=menu><ul>{menu}</ul></nav><article class=story><h1>{title}</h1>"
        f"<p class=byline>{number % 28 + 1} May 20{10 + number % 15}</p>{''.join(paragraphs)}"
        f"</article><aside class=related><h3>Related</h3><ul>{related}</ul></aside>"
        f"<footer><p>© 20{10 + number % 15} The Harbour Post. All rights reserved.</p></footer>"
        "</body></html>"
    )


def front(number: int = 0) -> str:
    """The front page of the newspaper: teasers in another layout."""
    draw = Random(f"front {number}")
    teasers = "".join(
        f'<section class="card {draw.choice("abc")}"><h2><a href="/{n}">{sentence(draw, 7)}</a>'
        f"</h2><div class=lead>{sentence(draw, 14)}</div></section>"
        for n in range(20)
    )
    return (
        "<html lang=en><head><meta charset=utf-8><title>The Harbour Post</title></head><body>"
        f"<div class=grid>{teasers}</div><footer><p>© 2020 The Harbour Post.</p></footer>"
        "</body></html>"
    )
