"""Author a complete SkelAnimation into a layer, fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pxr import Sdf, Usd, UsdSkel, Vt

from unimate_dcc.skeleton import BoolArray, FloatArray
from unimate_dcc.usd_io.convert import quaternions_to_vt, scales_to_vt, translations_to_vt


@dataclass(frozen=True, eq=False)
class AnimationData:
    """Samples of all joints, joint to parent, in joint units.

    Attributes:
        joints: J joint paths.
        time_codes: (T,) rising stage time codes.
        translations: (T, J, 3).
        rotations: (T, J, 4) wxyz.
        scales: (T, J, 3).
    """

    joints: tuple[str, ...]
    time_codes: FloatArray
    translations: FloatArray
    rotations: FloatArray
    scales: FloatArray


def author_animation(layer: Sdf.Layer, path: str, data: AnimationData) -> None:
    """Define a SkelAnimation at ``path`` with joints and all three channels in the schema's types.

    A channel that never changes is written once, as its default value.
    """
    with Sdf.ChangeBlock():
        spec = _define(layer, path, "SkelAnimation")
        joints = Sdf.AttributeSpec(spec, "joints", Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform)
        joints.default = Vt.TokenArray(list(data.joints))
        names = Sdf.ValueTypeNames
        channels = (
            ("translations", names.Float3Array, data.translations, translations_to_vt),
            ("rotations", names.QuatfArray, data.rotations, quaternions_to_vt),
            ("scales", names.Half3Array, data.scales, scales_to_vt),
        )
        for name, kind, values, convert in channels:
            attribute = Sdf.AttributeSpec(spec, name, kind)
            if np.array_equal(values[0], values[-1]) and (values == values[:1]).all():
                attribute.default = convert(values[:1])[0]
                continue
            place, set_sample = attribute.path, layer.SetTimeSample
            for time, value in zip(data.time_codes.tolist(), convert(values), strict=True):
                set_sample(place, time, value)


def copy_blend_shapes(stage: Usd.Stage, source: str, layer: Sdf.Layer, path: str) -> bool:
    """Carry blend shapes of a SkelAnimation over, value for value; False where it has none."""
    animation = UsdSkel.Animation(stage.GetPrimAtPath(source))
    shapes, weights = animation.GetBlendShapesAttr(), animation.GetBlendShapeWeightsAttr()
    if not shapes.HasAuthoredValue() or not weights.HasAuthoredValue():
        return False
    spec = layer.GetPrimAtPath(path)
    with Sdf.ChangeBlock():
        names = Sdf.AttributeSpec(spec, "blendShapes", Sdf.ValueTypeNames.TokenArray, Sdf.VariabilityUniform)
        names.default = shapes.Get()
        values = Sdf.AttributeSpec(spec, "blendShapeWeights", Sdf.ValueTypeNames.FloatArray)
        times = weights.GetTimeSamples()
        if not times:
            values.default = weights.Get()
        for time in times:
            layer.SetTimeSample(values.path, time, weights.Get(time))
    return True


def author_binding(layer: Sdf.Layer, prim: str, animation: str, *, uninstance: str = "") -> None:
    """Bind an animation on a prim, with SkelBindingAPI; ``uninstance`` names an instance to break."""
    with Sdf.ChangeBlock():
        spec = Sdf.CreatePrimInLayer(layer, prim)
        schemas = Sdf.TokenListOp()
        schemas.prependedItems = ["SkelBindingAPI"]
        spec.SetInfo("apiSchemas", schemas)
        relationship = Sdf.RelationshipSpec(spec, "skel:animationSource", custom=False)
        relationship.targetPathList.explicitItems = [Sdf.Path(animation)]
        if uninstance:
            Sdf.CreatePrimInLayer(layer, uninstance).SetInfo("instanceable", False)


def sign_continuous(rotations: FloatArray, free: BoolArray) -> FloatArray:
    """Quaternions (T, J, 4) of which those that are ``free`` (T, J) are unit and agree in sign with the sample before.

    The others are left bit for bit as they are.
    """
    out = rotations.copy()
    out[free] /= np.linalg.norm(out[free], axis=-1, keepdims=True)
    for sample in range(1, len(out)):
        flips = free[sample] & (np.einsum("jq,jq->j", out[sample], out[sample - 1]) < 0)
        out[sample, flips] *= -1.0
    return out


def _define(layer: Sdf.Layer, path: str, kind: str) -> Sdf.PrimSpec:
    place = Sdf.Path(path)
    holder = place.GetParentPath()
    if not holder.IsAbsoluteRootPath() and layer.GetPrimAtPath(holder) is None:
        scope = Sdf.CreatePrimInLayer(layer, holder)
        scope.specifier, scope.typeName = Sdf.SpecifierDef, "Scope"
    spec = Sdf.CreatePrimInLayer(layer, place)
    spec.specifier, spec.typeName = Sdf.SpecifierDef, kind
    return spec
