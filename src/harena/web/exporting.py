"""A game as one HTML file that needs nothing else: the viewer of the server's own pages, its styles, game and review.

The modules of `static` are put into one script, each in a function of its own, so that none sees another's names. The
file brings its own content security policy, which allows that very script and nothing from anywhere.
"""

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from harena.arena.store import Row
from harena.web.replays import document as replay_document

STATIC = Path(__file__).parent / "static"
# Each imports only earlier ones.
MODULES = ("dom", "walls", "board", "graphs", "moves", "motion", "replay", "review-chart", "report")
STYLES = ("style", "replay", "review")
IMPORT = re.compile(r"^import \{([^}]*)\} from '\./([\w-]+)\.js';$", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
START = """
const game = JSON.parse(document.getElementById('game').textContent);
let found = null;
const options = { hash: true, onShow: (_, ply) => found?.mark(ply) };
const viewer = new replay.Viewer(document.getElementById('viewer'), game, options);
document.addEventListener('goto', event => viewer.go(event.detail.ply));
document.addEventListener('notes', event => viewer.annotate(event.detail.notes));
if (game.review) {
  found = new report.Report(document.getElementById('found'), game.review, game.seats, [], game);
  found.mark(viewer.ply);
}
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="harena">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="viewer"></div>
{review}</main>
<script type="application/json" id="game">{game}</script>
<script type="module">{script}</script>
</body>
</html>
"""

REVIEW = """<section class="card review" aria-labelledby="review-title"><h2 id="review-title">Review</h2>
<div id="found" class="review-body"></div></section>
"""


def exported(document: dict[str, Any], review: dict[str, Any] | None = None) -> str:
    """The file of a replay document, with a review (of `harena.arena.judgement`, as plain data) if there is one."""
    script, style = _script(), _style()
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:"
    told = document if review is None else document | {"review": review}
    return PAGE.format(
        policy=policy,
        title=escape(title_of(document)),
        style=style,
        script=script,
        review="" if review is None else REVIEW,
        game=json.dumps(told, separators=(",", ":")).replace("<", "\\u003c"),  # no text ends the script
    )


def export_game(text: str, row: Row) -> str:
    """A stored game as one page that needs nothing else, from its text and its row."""
    return exported(replay_document(text, row))


def title_of(document: dict[str, Any]) -> str:
    """What a page that shows this game is called."""
    first, second = (text if len(text) <= 60 else f"{text[:59]}…" for text in document["seats"])
    number = "" if document["number"] is None else f"Game {document['number']}: "
    return f"{number}{document['title']}, {first} against {second}"


@cache
def _script() -> str:
    """All modules as one script."""
    return "\n".join([*(_enclosed(name) for name in MODULES), START])


def _enclosed(name: str) -> str:
    """A module as a constant of its name, which holds what the module exports."""
    text = (STATIC / f"{name}.js").read_text("utf-8")
    given = ", ".join(EXPORT.findall(text))
    inside = IMPORT.sub(
        lambda found: f"const {{{found[1].replace(' as ', ': ')}}} = {_constant(found[2])};", EXPORT.sub("", text)
    )
    return f"const {_constant(name)} = (() => {{\n{inside}\nreturn {{ {given} }};\n}})();"


def _constant(name: str) -> str:
    return name.replace("-", "_")


@cache
def _style() -> str:
    return "\n".join((STATIC / f"{name}.css").read_text("utf-8") for name in STYLES)


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
