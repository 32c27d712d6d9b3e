"""How good are the weights on rigs they have never seen? Real clips, nearest clips and the weights in one table.

    python benchmarks/quality.py --data D --weights default [--samples 5] [--seed 10] [--rigs N] [--steps 50] [--json]

The same as ``unimate-dcc eval``; ``--help`` lists every flag.
"""

from __future__ import annotations

import sys

from unimate_dcc.cli.main import main

if __name__ == "__main__":
    main(["eval", *sys.argv[1:]])
