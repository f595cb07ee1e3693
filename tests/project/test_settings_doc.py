"""docs/settings.md is written from the one declaration of settings (F40); --renew renews it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stilltrue.errors import InputError
from stilltrue.settings import DECLARED, Settings, normalised, resolve

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"
HEAD = """# Settings

They stand in your `config.toml` (`stilltrue doctor` shows where it lies), or in the `settings` of a
language client's `initializationOptions`, which win. Clients may write `diagnosticsDelay`, too. An
unknown name or value is refused. `db` may stand in `config.toml` alone: the database is taken only from
there, from `STILLTRUE_DB` and from `--db`.

| setting | default | allowed | what it does |
|---|---|---|---|
"""


def expected_text() -> str:
    rows = []
    for setting in DECLARED:
        default = json.dumps(setting.default).strip('"')
        limits = {
            "boolean": "true, false",
            "integer": f"from {setting.minimum}",
            "array": "a list of patterns",
        }
        allowed = ", ".join(setting.choices) or limits[setting.kind]
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


def test_f40_each_setting_has_one_sentence_of_help_and_all_that_a_manifest_needs() -> None:
    for setting in DECLARED:
        assert setting.help.endswith(".")
        assert ". " not in setting.help
        assert setting.kind in {"boolean", "integer", "string", "array"}
        assert setting.scope == "window"
        assert setting.default in setting.choices or not setting.choices
        assert (setting.minimum is not None) == (setting.kind == "integer")


def test_f40_a_name_may_be_written_in_either_way() -> None:
    for setting in DECLARED:
        assert normalised({setting.camel_name: 1}) == normalised({setting.name: 1}) == {setting.name: 1}
    assert resolve(normalised({"diagnosticsDelay": 7, "severity_stale": "off"})) == Settings(
        diagnostics_delay=7, severity_stale="off"
    )


def test_f40_an_unknown_name_is_refused_as_it_was_written() -> None:
    with pytest.raises(InputError, match="unknown setting 'noSuchThing'"):
        resolve(normalised({"noSuchThing": 1}))
    with pytest.raises(InputError, match="diagnostics_delay is set twice"):
        normalised({"diagnosticsDelay": 1, "diagnostics_delay": 2})


@pytest.mark.parametrize("value", ["docs", [1], ["docs", None], {"docs": True}, ["!"], ["docs/", "\\"]])
def test_f40_ignore_takes_a_list_of_patterns_and_nothing_else(value: object) -> None:
    with pytest.raises(InputError, match="ignore") as caught:
        resolve({"ignore": value})
    assert caught.value.hint
    assert resolve({"ignore": ["docs/"]}, {"display": "none"}) == Settings(ignore=("docs/",), display="none")


def test_f40_a_display_that_is_none_of_the_choices_is_refused() -> None:
    with pytest.raises(InputError, match="display may not be 'banner'"):
        resolve({"display": "banner"})
