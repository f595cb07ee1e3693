"""The page behind each code of diagnostics."""

from __future__ import annotations

import pytest

from stilltrue.ide.diagnostics import Code
from stilltrue.ide.help import help_text
from stilltrue.settings import Settings


@pytest.mark.parametrize("code", Code)
def test_each_code_has_a_page_that_names_its_setting(code: Code) -> None:
    text = help_text(code.value)
    assert text is not None
    assert f"(`{code.value}`)" in text.splitlines()[0]
    setting = "severity_" + code.value.replace("-", "_")
    assert f"`{setting}`" in text
    assert hasattr(Settings(), setting)


@pytest.mark.parametrize("code", ["", "no-such", "STALE"])
def test_what_is_no_code_has_none(code: str) -> None:
    assert help_text(code) is None
