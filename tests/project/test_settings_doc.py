"""docs/settings.md is written from the one declaration of settings (F40); --renew renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stilltrue.settings import DECLARED, Settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"
HEAD = """# Settings

They stand in your `config.toml` (`stilltrue doctor` shows where it lies), or in the `settings` of a
language client's `initializationOptions`, which win. An unknown name or value is refused. `db` may stand in
`config.toml` alone: the database is taken only from there, from `STILLTRUE_DB` and from `--db`.

| setting | default | allowed | what it does |
|---|---|---|---|
"""


def expected_text() -> str:
    rows = []
    for setting in DECLARED:
        default = str(setting.default).lower() if isinstance(setting.default, bool) else setting.default
        kind = type(setting.default).__name__
        limits = {"bool": "true, false", "int": f"from {setting.minimum}"}
        allowed = ", ".join(setting.choices) or limits[kind]
        rows.append(f"| `{setting.name}` | `{default}` | {allowed} | {setting.help} |")
    return HEAD + "\n".join(rows) + "\n"


def test_the_page_lists_every_setting_as_declared(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--renew"):
        DOCUMENT.write_text(expected_text(), encoding="utf-8")

    assert DOCUMENT.read_text("utf-8") == expected_text(), "renew it: pytest tests/project --renew"


def test_declared_defaults_are_the_defaults_code_uses() -> None:
    assert {setting.name: setting.default for setting in DECLARED} == {
        setting.name: getattr(Settings(), setting.name) for setting in DECLARED
    }
