"""What a parser written in Python reads, without places and comments: a JSON string a line in, a digest out.

python read_python.py hcl|kotlin
"""

from __future__ import annotations

import importlib
import json
import sys
from hashlib import sha1


def _hcl(text: str) -> str:
    hcl2 = importlib.import_module("hcl2")
    options = importlib.import_module("hcl2.utils").SerializationOptions(with_comments=False)
    return repr(hcl2.loads(text, serialization_options=options))


def _kotlin(text: str) -> str:
    return str(importlib.import_module("kopyt").Parser(text).parse())


def main() -> None:
    """Answer until there is no more."""
    read = {"hcl": _hcl, "kotlin": _kotlin}[sys.argv[1]]
    for line in sys.stdin:
        try:
            told = sha1(read(json.loads(line)).encode()).hexdigest()  # noqa: S324 - to compare with itself
        except Exception:  # noqa: BLE001 - whatever the parser says of what it cannot read
            told = "-"
        print(told, flush=True)


if __name__ == "__main__":
    main()
