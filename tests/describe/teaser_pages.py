"""Overview pages whose teasers are the openings of stories: 30, 45 or 60 words each.

The stories and their paper are made up. A page has 10 to 14 of them, in one of `LAYOUTS`; no
threshold was chosen on those in `SET_ASIDE`.
"""

from __future__ import annotations

import random
from collections.abc import Callable

_STORIES = """\
Ferry to Low Quay will run all winter
The small ferry between the harbour and Low Quay will keep its timetable through the winter for
the first time since the old landing stage burned down. The council agreed on Tuesday night to pay
for a second skipper and for a heated shelter on the island side, where school children have
waited in the rain for eleven years. The first crossing on weekdays leaves at ten past six.

Bakers strike over flour that never came
Nine bakeries in the lower town left their ovens cold on Monday after a third delivery of flour
had failed to arrive. The mill says that a bridge on the only road from the valley cannot carry
its lorries any more, and that it learned of this from the radio. Customers queued in front of the
two shops that still had bread, one of them until noon.

A swan closes the railway for two hours
Trains between Upper Down and the coast stood still for two hours yesterday because a swan had
chosen the tracks for a rest. A driver with a blanket, a policewoman and at last a retired vet
tried to persuade the bird, which hissed at all three of them. It left by itself when the sun came
out, and the evening trains were on time again.

Library finds letters in a wall
Workers who were putting new pipes into the reading room of the town library have found a tin with
more than forty letters behind a wall. They were written between 1911 and 1926 by two sisters, one
of whom had moved to the far side of the world to teach. Nobody knows who hid them, or why, and
the librarian asks the families of the town for help.

School kitchen grows its own beans
Since the spring, pupils of the school on Fern Lane have grown beans, leeks and a little too much
chard on what used to be the car park of the teachers. The kitchen cooks what the beds give, and
the number of children who eat at school has doubled within a term. Next year there will be hens,
if the neighbours and the health office agree.

Storm takes the roof of the market hall
The storm on Saturday night lifted a third of the roof from the market hall and laid it into the
river, where it has stayed since. No one was hurt, because the last traders had gone home an hour
before. The architect who restored the hall six years ago called the damage a riddle; the beams
had been tested for winds that were twice as strong.

Choir of fishermen sings for the last time
After seventy years the choir of the fishermen will give its last concert on Sunday, in the church
that its members once helped to pay for. There are only eight singers left, and the youngest of
them is sixty-four. The conductor has kept every programme since the first evening, and will hand
the boxes to the museum as soon as the candles are out.

New bridge is two metres too short
When the crane set down the middle part of the new footbridge on Thursday morning, it ended two
metres above the water and two metres before the other bank. The engineers measured again and
found that the drawings had been made for the summer, when the river is narrow. A carpenter from
the village has offered to close the gap with oak until the autumn.

Doctor opens a practice in a bus
Three villages that have had no doctor since the summer get one on wheels. Ines Quay, who worked
in the city hospital for twenty years, has turned an old bus into a practice with a waiting room
for four, and will stop at each church once a week. She says that the hardest part was the licence
to drive it, which she passed at the third attempt.

Museum returns a drum to the islands
A drum of cedar and walrus skin that had stood in the cellar of the museum since 1889 is on its
way back to the islands where it was made. Four elders came to fetch it and played it in the
entrance hall, which made the glass cases hum. The museum still holds some hundred objects from
the same journey and has promised to publish the list before the summer.

Bees move into the tower of the town hall
A swarm of bees has taken the clock of the town hall, and the clock has stopped. The keeper of the
tower found them behind the northern dial on Friday when he climbed up to see why the noon bell
had not rung. A beekeeper will move them as soon as the nights are warm, and until then the mayor
asks everybody to look at their own watches.

Old cinema shows films for one coin
The cinema by the station, closed for nine years, opens again with a ticket that costs one coin,
whichever coin it is. A group of students has cleaned the seats, repaired the older of the two
projectors and borrowed films from four countries. The first night sold out within minutes, and
the till held eleven currencies, among them two that no bank takes.

Farmers test a plough that thinks
On a field outside the village, five farmers watched a plough that turned at the end of its row
with nobody near it. The machine was built by a school for engineers and finds its way by the
colour of the soil. It stopped twice, once for a hare and once for a shoe, and the oldest of the
farmers said that he had seen worse from people with a licence.

Wind park gets a path for walkers
Walkers may soon cross the wind park on the ridge, which had been fenced off since the first mast
was raised. The company gives way after a walk of protest by two hundred people with lanterns, and
pays for the signs. Between October and March the path will be closed on icy days, when the blades
throw down lumps that are as heavy as a bucket of water.
"""
STORIES = tuple(
    (title, " ".join(opening.split()))
    for title, _, opening in (story.partition("\n") for story in _STORIES.split("\n\n"))
)
"""Titles and openings."""

LENGTHS = (30, 45, 60)
"""Words of a teaser."""

PAGES = 10
"""Pages of each layout and length."""


def _cut(text: str, words: int) -> str:
    """The first words, up to the end of the sentence if it is near."""
    return " ".join(text.split()[:words]).rstrip(",;.") + "."


def _page(title: str, body: str, *, light: bool = False) -> str:
    """A page around a list: with menus, a side bar and a footer, or with a menu alone."""
    menu = "".join(
        f'<li><a href="/{name.lower()}">{name}</a></li>'
        for name in "News Town Sport Culture Weather".split()
    )
    if light:
        return (
            f'<html><head><title>{title}</title></head><body><ul class="menu">{menu}</ul>{body}'
            "</body></html>"
        )
    return f"""<!doctype html><html lang="en"><head><title>{title}</title>
<meta name="viewport" content="width=device-width"></head><body>
<div id="cookies"><p>We use cookies to count our readers. <button>Fine</button></p></div>
<header><a href="/" class="logo">{title}</a><nav><ul>{menu}</ul></nav></header>
<main><h1>{title}</h1>{body}</main>
<aside><h3>Most read</h3><ol><li><a href="/s/81">A swan closes the railway</a></li>
<li><a href="/s/82">Who moved the signpost</a></li><li><a href="/s/83">Ten benches with a view</a>
</li></ol><p>Write to us if you know of a story that we have missed.</p></aside>
<footer><p>© 2026 {title}. All rights reserved.</p><ul><li><a href="/imprint">Imprint</a></li>
<li><a href="/privacy">Privacy</a></li></ul></footer></body></html>"""


Row = Callable[[int, str, str], str]


def cards(n: int, title: str, text: str) -> str:
    """A linked heading, the text, a link below."""
    return f"""<div class="teaser"><h2><a href="/story/{n}">{title}</a></h2><p>{text}</p>
<a class="more" href="/story/{n}">Read more</a></div>"""


def articles(n: int, title: str, text: str) -> str:
    """A heading without a link, the link at the end of the text."""
    return f"""<article><h3>{title}</h3><p>{text} <a href="/2026/03/{n}.html">Read more</a></p>
</article>"""


def pictures(n: int, title: str, text: str) -> str:
    """List items with a picture and a bold title."""
    return f"""<li class="item"><a href="/a/{n}"><img src="/i/{n}.jpg" alt=""></a>
<strong><a href="/a/{n}">{title}</a></strong><br>{text}
<p><a href="/a/{n}">Continue reading →</a></p></li>"""


def bare(n: int, title: str, text: str) -> str:
    """No title at all, the link in a paragraph of its own."""
    return f"""<div><p>{text}</p><p><a href="story{n}.htm">Read more</a></p></div>"""


def entries(n: int, title: str, text: str) -> str:
    """As a blog shows its latest entries, with author and date."""
    return f"""<article id="post-{n}" class="post hentry"><header><h2 class="entry-title"><a
href="https://paper.example/2026/{n}/" rel="bookmark">{title}</a></h2><div class="entry-meta">By
<a href="/author/{n % 3}">Tove Eelgrass</a> on <time datetime="2026-03-{n + 1:02}">March {n + 1},
2026</time></div></header><div class="entry-content"><p>{text} <a class="more-link"
href="https://paper.example/2026/{n}/#more">Read more</a></p></div></article>"""


def tables(n: int, title: str, text: str) -> str:
    """Rows of a table for the layout, as of 2003."""
    return f"""<tr><td width=90><img src="i{n}.gif"></td><td><b>{title}</b><br>
<font size=2>{text}</font> <a href="story.asp?id={n}">More...</a><hr></td></tr>"""


def footers(n: int, title: str, text: str) -> str:
    """Two paragraphs, the link in a footer of the section."""
    words = text.split()
    first, second = " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])
    return f"""<section class="c7"><div class="h"><span>Town</span><h4>{title}</h4></div>
<div class="t"><p>{first}</p><p>{second}</p></div><div class="f"><span>{n + 2} min</span>
<a href="/stories/{n}">Full story »</a></div></section>"""


def whole_links(n: int, title: str, text: str) -> str:
    """The whole card is a link."""
    return f"""<a class="card" href="/news/{n}"><h3>{title}</h3><p>{text}</p>
<span class="cta">Read more</span></a>"""


def terms(n: int, title: str, text: str) -> str:
    """A definition list."""
    return (
        f"""<dt><a href="/n/{n}">{title}</a></dt><dd>{text} <a href="/n/{n}">Read more</a></dd>"""
    )


def flat(n: int, title: str, text: str) -> str:
    """Headings, paragraphs and links side by side, with no element around them."""
    return f"""<h2>{title}</h2><p>{text}</p><p><a href="/{n}">Read more</a></p>"""


def german(n: int, title: str, text: str) -> str:
    """Another phrase, a date above."""
    return f"""<div class="beitrag"><span class="datum">{n + 1}. März 2026</span><h2>{title}</h2>
<div class="anriss">{text} …</div><div class="mehr"><a href="/artikel/{n}">Weiterlesen</a></div>
</div>"""


def linked_headings(n: int, title: str, text: str) -> str:
    """Nothing but a linked heading and the text."""
    return f"""<div class="views-row"><div><div><h3><a href="/node/{n}">{title}</a></h3></div></div>
<div><div>{text}</div></div></div>"""


_AROUND = {"pictures": "ul", "tables": "table", "terms": "dl"}

SEEN: tuple[Row, ...] = (cards, articles, pictures, bare, entries, flat)
SET_ASIDE: tuple[Row, ...] = (tables, footers, whole_links, terms, german, linked_headings)
LAYOUTS = (*SEEN, *SET_ASIDE)


def page(row: Row, words: int, number: int) -> str:
    """A page of 10 to 14 teasers; every third with little around them."""
    chosen = random.Random(number)
    stories = chosen.sample(STORIES, chosen.randint(10, len(STORIES)))
    rows = "".join(row(n, title, _cut(text, words)) for n, (title, text) in enumerate(stories))
    tag = _AROUND.get(row.__name__, "div")
    body = f"<{tag}>{rows}</{tag}>"
    return _page("The Valley Post", body, light=number % 3 == 2)


def pages(row: Row, words: int) -> list[str]:
    """The pages of one layout and length."""
    return [page(row, words, number) for number in range(PAGES)]
