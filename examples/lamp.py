"""The desk lamp: six joints, no limbs, no face."""

from __future__ import annotations

from creature import Creature, part, table

LAMP = Creature(
    "Lamp",
    table("""
    Base - 0 .075 0
    LowerArm Base 0 .10 0
    UpperArm LowerArm 0 .30 -.10
    Neck UpperArm 0 .50 .06
    LampHead Neck 0 .49 .11
    Shade LampHead 0 .44 .18
    """),
    {
        "Paint": (0.55, 0.06, 0.03),
        "Metal": (0.32, 0.32, 0.34),
        "Glow": (0.95, 0.85, 0.55),
    },
    [
        part(
            "Paint",
            "Base LowerArm",
            """
            0 -3.0 .092 .092
            0 -2.5 .095 .095
            0 -2.0 .090 .090
            0 -1.5 .040 .040
            0 -1.2 .024 .024 Metal
            0  .80 .018 .018
            """,
            corners=12,
            upright=False,
        ),
        part("Metal", "LowerArm UpperArm", "0 -.04 .009 .009\n0 .5 .009 .009\n1 .04 .009 .009", upright=False),
        part("Metal", "UpperArm Neck", "0 -.05 .008 .008\n0 .5 .008 .008\n1 .05 .008 .008", upright=False),
        *(
            part("Paint", f"{joint}@-.016,0,0 {joint}@.016,0,0", "0 0 .016 .016\n0 1 .016 .016")
            for joint in ("LowerArm", "UpperArm", "Neck")
        ),
        part("Metal", "Neck LampHead", "0 .1 .008 .008\n1 0 .010 .010"),
        part(
            "Paint",
            "LampHead Shade",
            """
            0 -.35 .016 .016
            0 -.30 .024 .024
            0  .15 .030 .030
            0  .40 .052 .052
            1  .05 .078 .078 Glow
            1  .06 .070 .070
            1  .14 .040 .040
            1  .18 0 0
            """,
            corners=12,
        ),
    ],
)
