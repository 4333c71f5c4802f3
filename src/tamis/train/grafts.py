"""Training pages made over: with more around the content, or without the names of elements.

The training sets are today's pages. Older ones, blogs above all, have the readers' comments in the
source, often more words than the article, where today a script loads them; they have teasers in
tables, and neither HTML 5 elements nor telling class names. So a page of a training set may get
comments or teasers below its content, in the markup of common systems and with text of other pages
of the sets, or lose the names of its elements. Its gold stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from tamis.page.table import Page

_TITLES = (
    "{n} comments", "Comments ({n})", "{n} responses to this article", "Leave a comment",
    "{n} thoughts on this post", "Kommentare", "{n} Kommentare", "Commentaires", "Comentarios",
    "Commenti ({n})", "Reacties", "Комментарии", "コメント ({n})", "评论", "التعليقات",
    "ความคิดเห็น", "Discussion", "Reader comments", "What do you think?",
)  # fmt: skip
_NAMES = (
    "Anna", "Jonas B.", "mike_77", "Priya", "the other Tom", "Lucía", "K. Meyer", "guest", "Sven",
    "anonymous", "Mrs Baker", "Olga", "Ahmed", "juno", "Dr. No", "Лена", "さくら", "小王", "สมชาย",
)  # fmt: skip
_DATES = (
    "March 3, 2011 at 9:14 am", "12.05.2009 17:40", "2 days ago", "Posted 4 Nov 2012", "23:11",
    "2010-07-18", "hace 3 horas", "10 juin 2008 à 08:12", "3年前",
)  # fmt: skip

# The list around, a comment in it: {id} number, {name}, {date}, {text}, {even} odd or even.
_MARKUP: tuple[tuple[str, str], ...] = (
    (
        '<div id="comments" class="comments-area"><h2 class="comments-title">{title}</h2>'
        '<ol class="commentlist">{all}</ol><div id="respond"><h3>{title}</h3></div></div>',
        '<li class="comment {even} depth-1" id="comment-{id}"><div id="div-comment-{id}"'
        ' class="comment-body"><div class="comment-author vcard"><cite class="fn">{name}</cite>'
        '</div><div class="comment-meta commentmetadata"><a href="#comment-{id}">{date}</a></div>'
        '{text}<div class="reply"><a href="#respond">Reply</a></div></div></li>',
    ),
    (
        '<h3 id="comments">{title}</h3><ol class="commentlist">{all}</ol>',
        '<li class="{even}" id="comment-{id}"><cite>{name}</cite> <br><small'
        ' class="commentmetadata"><a href="#comment-{id}">{date}</a></small>{text}</li>',
    ),
    (
        '<div class="comments" id="comments"><h4>{title}:</h4><dl id="comments-block">{all}</dl>'
        "</div>",
        '<dt class="comment-author" id="c{id}"><a href="/p/{id}">{name}</a> said...</dt>'
        '<dd class="comment-body">{text}</dd><dd class="comment-footer"><span'
        ' class="comment-timestamp"><a href="#c{id}">{date}</a></span></dd>',
    ),
    (
        '<div id="disqus_thread"><ul id="dsq-comments">{all}</ul></div>',
        '<li id="dsq-comment-{id}" class="dsq-comment"><div class="dsq-comment-header"><cite>'
        '{name}</cite></div><div class="dsq-comment-body"><div class="dsq-comment-message">{text}'
        "</div></div></li>",
    ),
    (
        '<div id="comments"><h2 class="comments">{title}</h2>{all}</div>',
        '<a id="comment-{id}"></a><div class="comment clear-block"><h3><a href="#">{name}</a></h3>'
        '<div class="submitted">{date}</div><div class="content">{text}</div><ul class="links">'
        '<li><a href="/reply/{id}">reply</a></li></ul></div>',
    ),
    (
        '<div class="comments-body"><h2>{title}</h2>{all}</div>',
        '<div class="comment" id="c{id}"><div class="comment-content">{text}</div>'
        '<p class="comment-footer">Posted by: {name} | <a href="#c{id}">{date}</a></p></div>',
    ),
    (
        '<section class="post-comments"><header><h2>{title}</h2></header><ul'
        ' class="comment-list">{all}</ul></section>',
        '<li class="comment-item"><article><header class="comment-header"><b>{name}</b> <time>'
        '{date}</time></header><div class="comment-text">{text}</div></article></li>',
    ),
    (
        '<div class="user-reactions"><h3>{title}</h3>{all}</div>',
        '<div class="reaction"><p class="reaction-user"><strong>{name}</strong>, {date}</p>{text}'
        "</div>",
    ),
    (
        '<a name="comments"></a><h3>{title}</h3>{all}',
        "<p><b>{name}</b> {date}<br>{text}</p><hr>",
    ),
    (
        '<table class="comments" width="100%"><tr><td><b>{title}</b></td></tr>{all}</table>',
        '<tr><td class="commenthead">{name} ({date})</td></tr><tr><td class="commenttext">{text}'
        "</td></tr>",
    ),
)

_TEASER_TITLES = (
    "Related articles", "Read more", "More headlines", "You might also like", "Most popular",
    "Latest news", "Mehr zum Thema", "Lesen Sie auch", "À lire aussi", "Te puede interesar",
    "Leggi anche", "Читайте также", "関連記事", "相关阅读", "مواضيع ذات صلة", "ข่าวที่เกี่ยวข้อง",
)  # fmt: skip
_TEASERS: tuple[tuple[str, str], ...] = (
    (
        '<div class="related-posts"><h3>{title}</h3><ul>{all}</ul></div>',
        '<li><a href="/a/{id}">{name}</a></li>',
    ),
    (
        '<aside class="sidebar"><div class="widget"><h4>{title}</h4>{all}</div></aside>',
        '<div class="teaser"><h5><a href="/a/{id}">{name}</a></h5>{text}</div>',
    ),
    (
        '<section class="more-stories"><h2>{title}</h2>{all}</section>',
        '<article class="card"><a href="/a/{id}"><h3>{name}</h3></a>{text}<span>{date}</span>'
        "</article>",
    ),
    (
        "<table><tr><td><b>{title}</b></td></tr>{all}</table>",
        '<tr><td><a href="/a/{id}.html">{name}</a></td></tr>',
    ),
    (
        "<h3>{title}</h3>{all}",
        '<p><a href="/a/{id}">{name}</a><br>{date}</p>',
    ),
    (
        '<div id="recommended"><p>{title}</p>{all}</div>',
        '<div class="item"><div class="item-title"><a href="/a/{id}">{name}</a></div>'
        '<div class="item-text">{text}</div><a class="more" href="/a/{id}">&raquo;</a></div>',
    ),
)

_TAG = re.compile(rb"<[a-z][^>]*>", re.IGNORECASE)
_NAMES_OF_ELEMENTS = re.compile(
    rb"""\s*(?<![\w-])(?:class|id|role|itemprop)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE
)
_NEW_ELEMENTS = re.compile(
    rb"(</?)(?:main|article|section|nav|header|footer|aside|figure|figcaption)(?=[\s>/])",
    re.IGNORECASE,
)


def with_comments(
    page: Page, content: npt.NDArray[np.intp], texts: Sequence[str], random: Random
) -> bytes:
    """The source of the page with comments below its `content`, some block numbers in order.

    A comment is one or two of `texts`, paragraphs of other pages.
    """
    return _grafted(page, content, texts, _NAMES, (_MARKUP, _TITLES), random)


def with_teasers(
    page: Page,
    content: npt.NDArray[np.intp],
    texts: Sequence[str],
    headings: Sequence[str],
    random: Random,
) -> bytes:
    """The source of the page with teasers below its `content`: `headings` of other pages."""
    return _grafted(page, content, texts, headings, (_TEASERS, _TEASER_TITLES), random)


def aged(source: bytes) -> bytes:
    """A page without class names, ids and roles, and with plain elements for those of HTML 5."""
    nameless = _TAG.sub(lambda tag: _NAMES_OF_ELEMENTS.sub(b"", tag[0]), source)
    return _NEW_ELEMENTS.sub(rb"\1div", nameless)


_Markup = tuple[tuple[str, str], ...]


def _grafted(
    page: Page,
    content: npt.NDArray[np.intp],
    texts: Sequence[str],
    names: Sequence[str],
    form: tuple[_Markup, tuple[str, ...]],
    random: Random,
) -> bytes:
    markup, titles = form
    around, one = random.choice(markup)
    comments = []
    even = False
    for number in range(1, random.choice((2, 4, 8, 15, 30, 60)) + 1):
        even = not even
        paragraphs = random.choices(texts, k=random.choice((1, 1, 2)))
        comments.append(
            one.format(
                id=number + 4000,
                name=_escaped(random.choice(names)),
                date=random.choice(_DATES),
                text="".join(f"<p>{_escaped(text)}</p>" for text in paragraphs),
                even="even" if even else "odd alt",
            )
        )
    title = random.choice(titles).format(n=len(comments))
    graft = around.format(title=title, all="".join(comments)).encode("utf-8", "replace")
    place = _below(page, int(content[-1]), random)
    return page.source[:place] + graft + page.source[place:]


def _below(page: Page, block: int, random: Random) -> int:
    """Where in the source the second to fourth element around a block ends."""
    node = int(page.blocks.node[block])
    for _ in range(random.choice((1, 2, 3))):
        parent = int(page.nodes.parent[node])
        if page.tag_name(parent) in ("body", "html"):
            break
        node = parent
    return int(page.nodes.close[node])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
