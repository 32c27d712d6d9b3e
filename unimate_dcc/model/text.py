"""Text to vectors: one interface, two encoders, every text encoded once.

Each text is encoded alone, so a text has the same vectors whatever it is asked with.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unimate_dcc.errors import WeightsError
from unimate_dcc.model.text_models import FLAN_T5, MINILM, find_minilm, folder_digest, load_flan_t5, load_minilm

Tokens = NDArray[np.float32]
logger = logging.getLogger(__name__)


class TextEncoder(Protocol):
    """Anything that turns texts into token vectors."""

    @property
    def name(self) -> str:
        """The name that a model config asks for."""

    @property
    def sha256(self) -> str:
        """Digest of the encoder's weights; what makes two encoders the same."""

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """(L, W) float32 token vectors of each text, end token included; one zero row for an empty text."""


class CachedEncoder:
    """An encoder that remembers, in memory and on disk, and loads its model only for a new text."""

    def __init__(self, name: str, sha256: str, load: Callable[[], Callable[[str], Tokens]], cache: Path | None) -> None:
        """Wrap an encoder.

        Args:
            name: Of the encoder.
            sha256: Of its weights; part of the place of every remembered text.
            load: Makes the function that encodes one text; called at the first new text.
            cache: Folder for remembered texts; None to remember in memory only.
        """
        self.name, self.sha256 = name, sha256
        self._load = load
        self._model: Callable[[str], Tokens] | None = None
        self._folder = None if cache is None else cache / "text" / f"{name}-{sha256[:16]}"
        self._memory: dict[str, Tokens] = {}

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        """See ``TextEncoder.encode``."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Tokens:
        if text not in self._memory:
            self._memory[text] = self._recalled(text)
        return self._memory[text]

    def _recalled(self, text: str) -> Tokens:
        file = None if self._folder is None else self._folder / f"{hashlib.sha256(text.encode()).hexdigest()}.npy"
        if file is not None and file.exists():
            try:
                tokens: Tokens = np.load(file, allow_pickle=False)
                return tokens
            except (ValueError, EOFError):
                logger.warning("%s: unreadable, encoded again", file)
        if self._model is None:
            self._model = self._load()
        tokens = self._model(text)
        if file is not None:
            _remember(file, tokens)
        return tokens


def open_encoder(name: str, *, folder: Path | None = None, cache: Path | None = None) -> TextEncoder:
    """The encoder that a model config names; its model is loaded at the first new text.

    Args:
        name: ``all-minilm-l6-v2`` or ``flan-t5-base``.
        folder: Local folder of ``flan-t5-base``; nothing is ever downloaded.
        cache: Folder for remembered texts.

    Raises:
        MissingExtraError: The package that carries MiniLM is not installed.
        WeightsError: Unknown name, missing folder, or weights that are not the pinned ones.
    """
    if name == MINILM.name:
        place = find_minilm()
        return CachedEncoder(name, MINILM.sha256, lambda: load_minilm(place), cache)
    if name == FLAN_T5.name:
        if folder is None:
            raise WeightsError(
                name, "these weights need a local folder of google/flan-t5-base; name it in the settings"
            )
        return CachedEncoder(name, folder_digest(folder, cache), lambda: load_flan_t5(folder), cache)
    raise WeightsError(name, f"no such text encoder; known: {MINILM.name}, {FLAN_T5.name}")


def pooled(tokens: Tokens) -> Tokens:
    """(W,) mean over the rows of (L, W): how a whole text or label becomes one vector (SPEC b8)."""
    mean: Tokens = tokens.mean(axis=0, dtype=np.float64).astype(np.float32)
    return mean


def _remember(file: Path, tokens: Tokens) -> None:
    """Write through a neighbour, so that a reader never sees half a file; a full disk costs only the memory."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
            np.save(part, tokens)
        os.replace(part.name, file)
    except OSError as error:
        logger.warning("%s: not remembered: %s", file, error)
