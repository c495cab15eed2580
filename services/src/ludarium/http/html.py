"""Make the HTML pages that the server writes itself, without scripts.

These are the operator's pages and the page for unknown addresses.
"""

from base64 import b64encode
from hashlib import sha256
from html import escape

STYLE = (
    ":root{color-scheme:light dark;font:1.05rem/1.6 system-ui,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\",sans-serif}"
    "body{margin:0;background:light-dark(#e8dfcd,#12191a);color:light-dark(#26241d,#f1eee4)}"
    "header,main{max-width:42rem;margin:0 auto;padding:1rem}"
    "main{margin-block:1rem;padding:1rem 1.5rem;border-radius:10px;background:light-dark(#fffaf0,#1c2526);"
    "border:1px solid light-dark(#d5c9b0,#3d4a49)}"
    "h1,header a{font-family:\"Iowan Old Style\",Palatino,Georgia,\"DejaVu Serif\",serif}"
    "a{color:light-dark(#0f5a4c,#7fd6bd)}header a{font-size:1.3rem;font-weight:600;text-decoration:none}"
    "table{border-collapse:collapse}td,th{border:1px solid;padding:.3rem .6rem}"
)
"""The colours of the web client (`clients/web/src/style/base.css`)."""
FRAME = """<!doctype html>
<html lang="{locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#0f5a4c">
<title>{title} - Ludarium</title>
<style>{style}</style>
</head>
<body>
<header><a href="/">Ludarium</a></header>
<main>
{text}</main>
</body>
</html>
"""
HEADERS = {
    "content-security-policy": f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}  # fmt: skip
"""Headers of the pages. They allow our own style sheet and images such as the favicon, but no scripts or forms."""


def page(locale: str, title: str, text: str) -> bytes:
    """Return an HTML page as bytes.

    Args:
        locale: the language of the title and the text.
        title: plain text.
        text: HTML.
    """
    return FRAME.format(locale=locale, title=escape(title), style=STYLE, text=text).encode()
