"""Where a model runs, and in which precision."""

from __future__ import annotations

import torch

from unimate_dcc.errors import BadRequestError


def choose_device(name: str) -> torch.device:
    """``auto`` takes cuda, then mps, else cpu; a named device must be there."""
    present = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        name = next(kind for kind in ("cuda", "mps", "cpu") if present[kind])
    kind = name.split(":")[0]
    if not present.get(kind, False):
        here = ", ".join(kind for kind, is_there in present.items() if is_there)
        raise BadRequestError("device", name, f"is not on this machine; here: {here}, or auto")
    return torch.device(name)


def choose_dtype(name: str, device: torch.device) -> torch.dtype:
    """``auto`` takes bfloat16 where the processor multiplies it, else float32."""
    if name == "auto":
        name = "bfloat16" if _multiplies_bfloat16(device) else "float32"
    dtypes = {"float32": torch.float32, "bfloat16": torch.bfloat16}
    if name not in dtypes:
        raise BadRequestError("dtype", name, "choose auto, float32 or bfloat16")
    return dtypes[name]


def _multiplies_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device)[0] >= 8  # Ampere and later
    if device.type != "cpu" or not hasattr(torch.cpu, "get_capabilities"):
        return False
    able = torch.cpu.get_capabilities()
    return bool(able.get("amx_bf16") or able.get("avx512_bf16"))
