#!/usr/bin/env python3
"""Start the language server that lies beside this file, and nothing else of the interpreter's.

Run with `python -I`: neither the working directory nor PYTHONPATH nor the user's packages are searched.
It must be readable by every Python 3, so that one that is too old can say so.
"""

import os
import runpy
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this is the place that looks
    sys.stderr.write(f"stilltrue: Python {sys.version.split()[0]} is too old: 3.11 or newer is needed.\n")
    sys.exit(1)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libraries"))  # noqa: PTH118, PTH100, PTH120 - an old Python reads this
runpy.run_module("stilltrue_lsp", run_name="__main__", alter_sys=True)
