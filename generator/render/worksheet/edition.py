"""The HTML edition: pages with the styles and fonts that they need, one or many in one file."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import escape

from generator.render.worksheet.margins import printed
from generator.render.worksheet.styles import also_html, style
from generator.sheets.fonts import embedded_font_face_css

VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'
GROUND = ("print.css", "worksheet.css", "html.css")


class EditionPage(NamedTuple):
    """A document's HTML, the names of its own style sheets, of those that options ask for.

    `anchor` is what links to it in a file of several lead to.
    """

    html: str
    further: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    anchor: str = ""


def standalone(page: EditionPage) -> str:
    """A page with the style sheets and fonts that it needs, in one file."""
    leaves = printed(page.html)
    names = (*GROUND, *page.further, *page.chosen)
    css = "\n".join((*map(style, also_html(names)), leaves.css))
    head, attributes, inside = _taken_apart(leaves.html)
    return _file(head, attributes, inside, css)


def joined(pages: Sequence[EditionPage], title: str) -> str:
    """Pages with the same options as one file, each with the styles of its own sheet alone.

    Its page numbers begin with 1 again at each of them.
    """
    own = dict.fromkeys(page.further for page in pages)
    scopes = {further: f"of{number}" for number, further in enumerate(own, start=1)}
    leaves = [printed(page.html, number) for number, page in enumerate(pages, start=1)]
    chosen = dict.fromkeys(name for page in pages for name in page.chosen)
    css = [
        *map(style, GROUND),
        # The styles of a sheet are for its own pages alone, and no stronger than they were.
        *(
            f":where(.{scope}) {{\n{chr(10).join(map(style, also_html(further)))}\n}}"
            for further, scope in scopes.items()
        ),
        *map(style, also_html(chosen)),
        *(one.css for one in leaves),
    ]
    parts = [
        _part(one.html, page, scopes[page.further]) for one, page in zip(leaves, pages, strict=True)
    ]
    head, attributes, _ = _taken_apart(pages[0].html)
    before, _, behind = head.partition("<title>")
    head = f"{before}<title>{escape(title)}{behind[behind.index('</title>') :]}"
    return _file(head, attributes, "\n".join(parts), "\n".join(css))


def _part(html: str, page: EditionPage, scope: str) -> str:
    _, attributes, inside = _taken_apart(html)
    anchor = f' id="{escape(page.anchor)}"' if page.anchor else ""
    return f'<div class="{scope} part"{anchor}><div{attributes}>\n{inside}</div></div>'


def _taken_apart(html: str) -> tuple[str, str, str]:
    """The part up to the body, the body's attributes, and what is in it."""
    head, _, body = html.partition("<body")
    attributes, _, content = body.partition(">")
    return head, attributes, content.rpartition("</body>")[0]


def _file(head: str, attributes: str, inside: str, css: str) -> str:
    rules = f"{embedded_font_face_css(head + inside)}\n{css}"
    head = head.replace("</head>", f"{VIEWPORT}\n<style>\n{rules}\n</style>\n</head>", 1)
    return f"{head}<body{attributes}>\n<main>{inside}</main>\n</body>\n</html>\n"
