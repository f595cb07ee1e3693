#!/usr/bin/env python3
"""Write into `package.json` what is declared elsewhere, the settings and the version: `python manifest.py`.

The server's settings are those of `stilltrue.settings`; what only the extension knows is declared here. A
test fails where the manifest differs (F40, F41).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import stilltrue
from stilltrue.settings import DECLARED, Setting

MANIFEST = Path(__file__).resolve().parent / "package.json"
LEVELS = ["error", "warning", "info", "debug"]

OWN: dict[str, dict[str, Any]] = {
    "enable": {
        "type": "boolean",
        "default": True,
        "scope": "window",
        "markdownDescription": "Whether StillTrue runs.",
    },
    "interpreter": {
        "type": ["string", "array"],
        "items": {"type": "string"},
        "default": [],
        "scope": "machine-overridable",
        "markdownDescription": "The Python (3.11 or newer) that runs the server: a path, or a path and "
        "its arguments. Empty: the one that a Python extension has chosen, else the first on `PATH` that is "
        "new enough. `${workspaceFolder}`, `${userHome}` and `${env:NAME}` are replaced.",
    },
    "path": {
        "type": ["string", "array"],
        "items": {"type": "string"},
        "default": [],
        "scope": "machine",
        "markdownDescription": "An installed `stilltrue` to run instead of the server that came along.",
    },
    "logLevel": {
        "type": "string",
        "enum": LEVELS,
        "default": "warning",
        "scope": "window",
        "markdownDescription": "What the server writes to the channel *StillTrue Language Server*.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "markdownDescription": "What of the protocol is written to the channel *StillTrue Protocol*. "
        "It holds the text of your files.",
    },
}
"""The extension's own settings, by name without the prefix."""

CHOOSES_PROGRAMS = ("interpreter", "path")
"""What a folder may not decide before it is trusted."""


def generated(manifest: dict[str, Any]) -> dict[str, Any]:
    """`manifest` as it must be: with the settings and the version as they are declared now."""
    made: dict[str, Any] = json.loads(json.dumps(manifest))
    made["version"] = stilltrue.__version__
    made["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = [
        f"stilltrue.{name}" for name in CHOOSES_PROGRAMS
    ]
    declared = {setting.camel_name: _property(setting) for setting in DECLARED}
    made["contributes"]["configuration"]["properties"] = {
        f"stilltrue.{name}": value for name, value in {**OWN, **declared}.items()
    }
    return made


def _property(setting: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"type": setting.kind, "default": setting.default, "scope": setting.scope}
    if setting.kind == "array":
        made["items"] = {"type": "string"}
        made["default"] = list(setting.default) if isinstance(setting.default, tuple) else []
    if setting.choices:
        made["enum"] = list(setting.choices)
    if setting.minimum is not None:
        made["minimum"] = setting.minimum
    made["markdownDescription"] = setting.help
    return made


def main() -> None:
    """Renew `package.json`."""
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    MANIFEST.write_text(json.dumps(generated(manifest), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
