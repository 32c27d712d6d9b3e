"""The fox: 38 joints, a quadruped that stands on its toes."""

from __future__ import annotations

from creature import Creature, part, table

JOINTS = table("""
    Root - 0 0 0
    Hips Root 0 .345 -.20
    Spine1 Hips 0 .365 -.10
    Spine2 Spine1 0 .375 .02
    Chest Spine2 0 .365 .14
    Neck Chest 0 .41 .22
    Head Neck 0 .475 .285
    Jaw Head 0 .455 .315
    Nose Head 0 .445 .415
    {S}Ear Head .038 .535 .275
    {S}EarTip {S}Ear .052 .60 .265
    Tail1 Hips 0 .345 -.27
    Tail2 Tail1 0 .325 -.35
    Tail3 Tail2 0 .295 -.43
    Tail4 Tail3 0 .275 -.52
    Tail5 Tail4 0 .275 -.60
    {S}Scapula Chest .052 .335 .155
    {S}FrontUpperLeg {S}Scapula .058 .255 .185
    {S}FrontLowerLeg {S}FrontUpperLeg .058 .165 .145
    {S}FrontPaw {S}FrontLowerLeg .058 .045 .16
    {S}FrontToe {S}FrontPaw .058 .014 .20
    {S}HindThigh Hips .052 .305 -.205
    {S}HindShin {S}HindThigh .060 .205 -.145
    {S}HindAnkle {S}HindShin .060 .125 -.245
    {S}HindPaw {S}HindAnkle .060 .035 -.225
    {S}HindToe {S}HindPaw .060 .013 -.180
    """)

FOX = Creature(
    "Fox",
    JOINTS,
    {"Fur": (0.56, 0.17, 0.035), "Cream": (0.80, 0.70, 0.56), "Socks": (0.055, 0.04, 0.035)},
    [
        part(
            "Fur",
            "Hips Spine1 Spine2 Chest Neck Head",
            """
            0 -.80 0 0
            0 -.62 .038 .042 -.004
            0 -.10 .058 .064 -.012
            1 -.40 .060 .068 -.018
            1  .30 .055 .066 -.026
            2 -.20 .056 .070 -.032
            2  .40 .062 .082 -.036
            3 -.10 .064 .088 -.032
            3  .40 .058 .078 -.020
            4 -.15 .050 .062 -.008
            4  .40 .042 .050  .000
            5 -.05 .038 .042  .002
            5  .20 .022 .024  .002
            """,
        ),
        part(
            "Cream",
            "Chest Neck Head",
            """
            0 -.10 .030 .028 -.106
            0  .40 .044 .038 -.086
            1 -.20 .046 .036 -.066
            1  .30 .038 .030 -.048
            2 -.15 .030 .022 -.036
            """,
            corners=6,
        ),
        part(
            "Fur",
            "Head Head@0,-.030,.130",
            """
            0 -.38 0 0 .006
            0 -.30 .024 .024 .004
            0 -.08 .044 .040 .002
            0  .18 .048 .042 .002
            0  .42 .036 .034 -.002
            0  .58 .021 .022 -.004
            1 -.08 .013 .014 -.004 Socks
            1  .00 .012 .012 -.003
            1  .07 .006 .007 -.002
            """,
        ),
        part(
            "Cream",
            "Head Head@0,-.030,.130",
            """
            0 -.02 .024 .014 -.028
            0  .16 .053 .024 -.018
            0  .36 .046 .022 -.019
            0  .56 .026 .012 -.017
            0  .84 .013 .007 -.011
            """,
        ),
        part(
            "Cream",
            "Jaw Jaw@0,-.014,.088",
            """
            0 .00 .024 .010
            0 .50 .016 .009
            1 .00 .008 .005
            """,
            corners=6,
        ),
        part(
            "Socks",
            "Head@.034,.014,.044 Head@.043,.018,.052",
            "0 0 .006 .007\n0 1 .004 .005",
            corners=6,
            mirrored=True,
        ),
        part(
            "Fur",
            "{S}Ear {S}EarTip",
            """
            0 -.70 .022 .014 -.004
            0  .05 .026 .012
            1 -.40 .018 .008 Socks
            1  .40 0 0
            """,
            corners=6,
            upright=False,
        ),
        part(
            "Fur",
            "Hips Tail1 Tail2 Tail3 Tail4 Tail5",
            """
            0 .30 .018 .020
            1 .10 .024 .026
            2 .00 .036 .038
            3 .00 .047 .049
            4 -.20 .050 .052
            4  .15 .046 .048 Cream
            5 -.20 .034 .036
            5  .20 .016 .018
            5  .60 0 0
            """,
        ),
        part(
            "Fur",
            "Chest {S}Scapula {S}FrontUpperLeg {S}FrontLowerLeg {S}FrontPaw",
            """
            1 -.30 .012 .030
            1  .00 .022 .044
            1  .50 .026 .046
            2  .00 .025 .040
            2  .50 .021 .030
            3  .00 .016 .022
            3  .20 .015 .018 Socks
            3  .75 .013 .015
            4  .00 .016 .017
            4  .20 .014 .013
            """,
            corners=6,
            upright=False,
        ),
        part(
            "Socks",
            "{S}FrontPaw@0,-.024,-.018 {S}FrontPaw@0,-.028,.016 {S}FrontToe",
            """
            0 -.10 .014 .014 -.002
            0  .60 .019 .020
            1  .30 .021 .016 -.002
            2  .00 .018 .012
            2  .50 .010 .007 -.005
            """,
            corners=6,
        ),
        part(
            "Fur",
            "Hips {S}HindThigh {S}HindShin {S}HindAnkle {S}HindPaw",
            """
            1 -.50 .016 .040
            1 -.05 .030 .060
            1  .45 .032 .060
            2 -.10 .026 .044
            2  .30 .020 .030
            2  .75 .014 .019
            3  .00 .013 .017
            3  .12 .013 .016 Socks
            3  .60 .013 .014
            4 -.05 .015 .016
            4  .20 .013 .012
            """,
            corners=6,
            upright=False,
        ),
        part(
            "Socks",
            "{S}HindPaw@0,-.015,-.022 {S}HindPaw@0,-.018,.014 {S}HindToe",
            """
            0 -.10 .014 .013 -.001
            0  .60 .018 .018
            1  .30 .020 .015 -.002
            2  .00 .017 .012
            2  .50 .010 .006 -.005
            """,
            corners=6,
        ),
    ],
)
