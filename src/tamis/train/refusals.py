"""Pages that have nothing to extract, to learn from: refusals, errors, shells, walls.

Written for training. Real ones are rare in the data sets and half of the gold that is empty there
is so by mistake.
"""

from __future__ import annotations

from random import Random

_MESSAGES = (
    "Checking your browser before accessing the site. This process is automatic.",
    "Please enable JavaScript and cookies to continue.",
    "You need to enable JavaScript to run this app.",
    "Access denied. You don't have permission to access this resource on this server.",
    "Sorry, you have been blocked. This website is using a security service to protect itself from"
    " online attacks.",
    "Please verify you are a human. Press and hold the button.",
    "The page you are looking for could not be found. It may have been moved or deleted.",
    "Something went wrong. Please try again later.",
    "We use cookies and similar technologies to improve your experience. By clicking accept you"
    " agree to the storing of cookies on your device.",
    "Sign in to continue. Don't have an account yet?",
    "Loading…",
    "The server is temporarily unable to service your request due to maintenance downtime or"
    " capacity problems.",
    "Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.",
    "Die angeforderte Seite wurde nicht gefunden.",
    "Wir verwenden Cookies, um Inhalte und Anzeigen zu personalisieren. Sie können Ihre Auswahl"
    " jederzeit widerrufen.",
    "La page demandée n'existe pas ou a été déplacée.",
    "Nous et nos partenaires stockons des informations sur votre appareil, telles que les cookies.",
    "Veuillez activer JavaScript pour continuer.",
    "Acceso denegado. Su solicitud ha sido bloqueada.",
    "La página que busca no existe.",
    "Per continuare abilita JavaScript nel tuo browser.",
    "Доступ ограничен. Подтвердите, что вы не робот.",
    "Страница не найдена.",
    "ページが見つかりません。お探しのページは削除されたか、移動した可能性があります。",
    "请启用JavaScript后继续访问。",
    "您访问的页面不存在",
    "الصفحة التي تبحث عنها غير موجودة",
    "ไม่พบหน้าที่คุณต้องการ",
)
_TITLES = (
    "Just a moment...", "Access Denied", "Attention Required!", "404 Not Found", "403 Forbidden",
    "Error", "Are you a robot?", "Robot Check", "Log in", "Loading", "Page not found", "", "Home",
    "Seite nicht gefunden", "Page introuvable", "Ошибка 404", "エラー", "找不到页面",
)  # fmt: skip
_SMALL_PRINT = (
    "Ray ID: 7d2f9a1b3c4e5f60", "Reference #18.2f3c1702.1699999999.1a2b3c",
    "Performance & security by the network", "Your IP: 203.0.113.7", "Error code 1020",
    "Go back to the homepage", "Contact support", "Accept all", "Reject all", "Settings",
    "Privacy policy", "Try again", "Zur Startseite", "Réessayer",
)  # fmt: skip
_SHELLS = (
    '<body><div id="root"></div><noscript>{first}</noscript>{links}</body>',
    '<body><div class="main-wrapper"><div class="main-content"><h1>{title}</h1><h2>{first}</h2>'
    '<p>{second}</p></div></div><div class="footer"><div>{small}</div></div></body>',
    "<body><h1>{title}</h1><p>{first}</p><hr><address>{small}</address></body>",
    '<body class="error-page"><header><nav><ul>{links}</ul></nav></header><main><h1>{title}</h1>'
    "<p>{first}</p><a href='/'>{small}</a></main><footer><ul>{links}</ul></footer></body>",
    '<body><div class="cookie-consent" role="dialog"><p>{first}</p><p>{second}</p>'
    "<button>{small}</button><button>{small}</button></div></body>",
    '<body><header><ul class="menu">{links}</ul></header><div id="app"><div class="spinner">{first}'
    '</div></div><footer class="footer"><p>{second}</p><ul>{links}</ul></footer></body>',
    '<body><form id="challenge-form"><div class="captcha"><label>{first}</label><input><button>'
    "{small}</button></div></form></body>",
    "<body>{first}</body>",
    '<body><div id="wrapper"><section><h1>{title}</h1><p>{first}</p></section><section><h2>{small}'
    "</h2><p>{second}</p></section><section><h2>{small}</h2><p>{third}</p></section>"
    "<p><small>{small}</small></p></div></body>",
    '<body><div class="container"><h1>{title}</h1><p>{first} {second}</p><p>{third}</p><ul><li>'
    "{small}</li><li>{small}</li></ul></div></body>",
    '<body><center><table><tr><td><font size="4"><b>{title}</b></font><br>{first}<br>{second}</td>'
    "</tr></table></center></body>",
    '<body><div id="login"><h2>{title}</h2><form><label>{small}</label><input type="password">'
    "<button>{small}</button></form><p>{first}</p></div></body>",
)
_LINKS = (
    "Home", "About", "Contact", "Products", "Support", "Blog", "Careers", "Terms", "Privacy",
    "Über uns", "Kontakt", "Accueil", "Inicio", "Главная", "ホーム", "首页", "หน้าแรก",
)  # fmt: skip


def refusal(random: Random) -> str:
    """A page of some kind that refuses, fails or only shows its frame."""
    links = "".join(
        f'<li><a href="/{number}">{random.choice(_LINKS)}</a></li>'
        for number in range(random.choice((0, 4, 8, 20, 40)))
    )
    title = random.choice(_TITLES)
    body = random.choice(_SHELLS).format(
        title=title,
        first=random.choice(_MESSAGES),
        second=random.choice(_MESSAGES + _SMALL_PRINT),
        third=random.choice(_MESSAGES),
        small=random.choice(_SMALL_PRINT),
        links=links,
    )
    # Frames come with their scripts and styles, which tells them from a fragment of a page.
    script = "var a=0;" * random.choice((100, 400, 1000, 4000))
    style = "p{margin:0}" * random.choice((0, 50, 500))
    return (
        f"<!doctype html><html><head><title>{title}</title><style>{style}</style>"
        f"<script>{script}</script></head>{body}</html>"
    )
