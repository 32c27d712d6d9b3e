"""``prompts``: what the loaded model knows."""

from __future__ import annotations

import json

import click

from unimate_dcc.cli.options import json_flag
from unimate_dcc.errors import BadRequestError


@click.command("prompts", short_help="List what the model was trained to do, by kind of body.")
@click.argument("near", required=False)
@click.option("--weights", default="default", show_default=True, help="Name or file.")
@click.option("--category", help="Only this kind of body.")
@json_flag
def command(near: str | None, weights: str, category: str | None, as_json: bool) -> None:
    """List the captions the model was trained on, by kind of body, most frequent first.

    With a text NEAR, only those nearest to it in meaning; 1 is the same.
    """
    from unimate_dcc.model.prompts import known_prompts, nearest
    from unimate_dcc.model.text import open_encoder
    from unimate_dcc.model.weights import load_weights

    loaded = load_weights(weights)
    known = known_prompts(loaded)
    if category is not None and category not in known:
        raise BadRequestError("category", category, f"these weights know {', '.join(known) or 'none'}")
    known = {kind: captions for kind, captions in known.items() if category in (None, kind)}
    document: dict[str, object] = {"schema": "unimate-prompts", "schemaVersion": 1, "weights": loaded.name}
    if near is not None:
        found = nearest(near, known, open_encoder(loaded.config.text_encoder), 10)
        document["nearest"] = [{"prompt": one.caption, "similarity": round(one.similarity, 3)} for one in found]
        lines = [f"{one.similarity:5.2f}  {one.caption}" for one in found]
    else:
        document["prompts"] = known
        lines = [line for kind, captions in known.items() for line in (kind, *(f"  {text}" for text in captions))]
    click.echo(json.dumps(document, indent=1) if as_json else "\n".join(lines))
