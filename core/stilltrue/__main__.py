"""`python -m stilltrue`."""

from __future__ import annotations

from stilltrue.cli.main import main

if __name__ == "__main__":
    main()
