"""The bird: 26 joints, wings spread, on two legs."""

from __future__ import annotations

from creature import Creature, part, table

BIRD = Creature(
    "Bird",
    table("""
    Root - 0 0 0
    Body Root 0 .26 -.02
    Chest Body 0 .29 .07
    Neck Chest 0 .36 .12
    Head Neck 0 .43 .15
    Beak Head 0 .42 .22
    Tail1 Body 0 .255 -.12
    Tail2 Tail1 0 .25 -.22
    {S}Wing1 Chest .055 .32 .05
    {S}Wing2 {S}Wing1 .16 .33 .03
    {S}Wing3 {S}Wing2 .28 .325 -.01
    {S}WingTip {S}Wing3 .40 .315 -.07
    {S}Thigh Body .045 .22 -.02
    {S}Shin {S}Thigh .05 .14 .02
    {S}Ankle {S}Shin .05 .06 -.02
    {S}Foot {S}Ankle .05 .012 -.01
    {S}Toe {S}Foot .05 .008 .04
    """),
    {
        "Plumage": (0.10, 0.24, 0.30),
        "Breast": (0.62, 0.28, 0.10),
        "Feathers": (0.035, 0.07, 0.10),
        "Horn": (0.55, 0.36, 0.06),
        "Eyes": (0.01, 0.01, 0.01),
    },
    [
        part(
            "Plumage",
            "Body Chest Neck Head",
            """
            0 -1.45 .022 .018 .020
            0 -1.00 .042 .036 .010
            0 -.40 .062 .056 .000
            0  .30 .072 .068 -.004
            0  .80 .072 .074 -.006
            1  .20 .062 .066 -.004
            1  .65 .046 .050 -.002
            2  .05 .037 .040
            2  .60 .032 .034
            3  .10 .026 .026
            """,
        ),
        part(
            "Breast",
            "Body Chest Neck",
            """
            0 -.20 .030 .022 -.046
            0  .40 .050 .040 -.040
            0  .95 .056 .050 -.036
            1  .35 .050 .044 -.030
            1  .75 .034 .030 -.022
            2  .10 .018 .018 -.022
            """,
        ),
        part(
            "Plumage",
            "Head Beak",
            """
            0 -.62 0 0
            0 -.50 .020 .020
            0 -.20 .035 .036
            0  .15 .036 .038
            0  .42 .026 .026
            0  .56 .014 .014 -.002 Horn
            0  .60 .012 .013 -.002
            1  .00 .006 .007 -.003
            1  .18 0 0 -.006
            """,
        ),
        part(
            "Eyes", "Head@.028,.010,.020 Head@.035,.012,.024", "0 0 .008 .009\n0 1 .005 .006", corners=6, mirrored=True
        ),
        part(
            "Feathers",
            "Body Tail1 Tail2",
            """
            1 -.40 .026 .016 .008
            1  .10 .034 .012
            2  .00 .050 .007
            2  .70 .062 .004
            2  .95 .050 .003
            """,
            corners=6,
        ),
        part(
            "Plumage",
            "Chest {S}Wing1 {S}Wing2 {S}Wing3 {S}WingTip",
            """
            1 -.30 .024 .018 .0 .010
            1  .15 .048 .016 .0 .024
            1  .60 .058 .013 .0 .034
            2  .05 .062 .012 .0 .036 Feathers
            2  .50 .064 .009 .0 .044
            3  .00 .066 .007 .0 .050
            3  .60 .054 .005 .0 .046
            4  .00 .036 .004 .0 .036
            4  .35 .012 .002 .0 .020
            """,
        ),
        part(
            "Plumage",
            "Body {S}Thigh {S}Shin {S}Ankle",
            """
            1 -.40 .022 .034
            1  .15 .030 .038
            1  .65 .023 .028
            2  .05 .014 .017
            2  .25 .010 .011 Horn
            2  .35 .007 .008
            3 -.05 .007 .008
            3  .10 .006 .006
            """,
            corners=6,
            upright=False,
        ),
        part("Horn", "{S}Ankle {S}Foot", "0 -.12 .006 .007\n0 .5 .005 .006\n1 .08 .007 .007", corners=6, upright=False),
        part(
            "Horn",
            "{S}Foot {S}Toe",
            "0 -.15 .006 .005 -.004\n0 .5 .006 .005 -.004\n1 0 .005 .004 -.003\n1 .4 0 0 -.006",
            corners=6,
        ),
        part(
            "Horn",
            "{S}Foot@0,-.006,0 {S}Foot@.022,-.007,.040",
            "0 0 .005 .005\n0 .9 .004 .004 .001\n0 1.3 0 0 -.003",
            corners=6,
            mirrored=True,
        ),
        part(
            "Horn",
            "{S}Foot@0,-.006,0 {S}Foot@-.020,-.007,.040",
            "0 0 .005 .005\n0 .9 .004 .004 .001\n0 1.3 0 0 -.003",
            corners=6,
            mirrored=True,
        ),
        part(
            "Horn",
            "{S}Foot@0,-.006,.004 {S}Foot@0,-.007,-.030",
            "0 0 .005 .005\n0 .9 .004 .004 .001\n0 1.3 0 0 -.003",
            corners=6,
            mirrored=True,
        ),
    ],
)
