"""Every setting, declared once: its name, default, limits and help (F40).

Surfaces hand in what they were given (`resolve`); code takes the resolved `Settings`. Nothing here
comes from a file in a repository: opening a cloned project must not change where memories live.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from stilltrue.errors import InputError

SEVERITIES = ("off", "hint", "information", "warning", "error")
_SEVERITY_HELP = "Severity of `{code}` diagnostics: off, hint, information, warning or error."


@dataclass(frozen=True, slots=True)
class Setting:
    """One declared setting.

    Attributes:
        name: As people write it.
        default: Its value where nobody says otherwise.
        help: One sentence.
        choices: The allowed values, empty where any of the type will do.
        minimum: The least allowed number.
    """

    name: str
    default: bool | int | str
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None


DECLARED = (
    Setting("max_file_bytes", 5 * 1024 * 1024, "Largest file that is read, in bytes.", minimum=1),
    Setting("store_excerpts", default=True, help="Keep up to 16 KiB of cited text to show what changed."),
    Setting(
        "diagnostics_delay",
        150,
        "Milliseconds to wait after the last change before a diagnostic is added; clearing never waits.",
        minimum=0,
    ),
    Setting("diagnostics_per_file", 100, "Most diagnostics shown for one file.", minimum=1),
    Setting(
        "diagnostics_on_close",
        "keep",
        "What happens to a file's diagnostics when it is closed: clear them, or keep them as judged on disk.",
        choices=("keep", "clear"),
    ),
    Setting("severity_stale", "warning", _SEVERITY_HELP.format(code="stale"), choices=SEVERITIES),
    Setting(
        "severity_stale_cosmetic",
        "information",
        _SEVERITY_HELP.format(code="stale-cosmetic"),
        choices=SEVERITIES,
    ),
    Setting("severity_missing", "warning", _SEVERITY_HELP.format(code="missing"), choices=SEVERITIES),
    Setting("severity_moved", "information", _SEVERITY_HELP.format(code="moved"), choices=SEVERITIES),
    Setting(
        "severity_commit_moved", "information", _SEVERITY_HELP.format(code="commit-moved"), choices=SEVERITIES
    ),
    Setting("severity_unverifiable", "off", _SEVERITY_HELP.format(code="unverifiable"), choices=SEVERITIES),
)
_BY_NAME = {setting.name: setting for setting in DECLARED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings as code uses them; see `DECLARED` for what each means."""

    max_file_bytes: int = 5 * 1024 * 1024
    store_excerpts: bool = True
    diagnostics_delay: int = 150
    diagnostics_per_file: int = 100
    diagnostics_on_close: str = "keep"
    severity_stale: str = "warning"
    severity_stale_cosmetic: str = "information"
    severity_missing: str = "warning"
    severity_moved: str = "information"
    severity_commit_moved: str = "information"
    severity_unverifiable: str = "off"


def resolve(*layers: Mapping[str, Any]) -> Settings:
    """The settings that `layers` give, later ones winning; unknown names are refused.

    Raises:
        InputError: An unknown name, a value of the wrong type, or one outside its limits (fail closed).
    """
    values: dict[str, Any] = {}
    for layer in layers:
        for name, value in layer.items():
            values[name] = checked(name, value)
    return Settings(**values)


def checked(name: str, value: object) -> bool | int | str:
    """`value` if the setting `name` may have it.

    Raises:
        InputError: It may not; the message names what is allowed.
    """
    setting = _BY_NAME.get(name)
    if setting is None:
        raise InputError(f"unknown setting {name!r}", hint="known: " + ", ".join(sorted(_BY_NAME)))
    wanted = type(setting.default)
    if not isinstance(value, (bool, int, str)) or type(value) is not wanted:
        raise InputError(f"{name} must be a {wanted.__name__}, not {value!r}")
    if setting.choices and value not in setting.choices:
        raise InputError(f"{name} may not be {value!r}", hint="allowed: " + ", ".join(setting.choices))
    if setting.minimum is not None and isinstance(value, int) and value < setting.minimum:
        raise InputError(f"{name} must be at least {setting.minimum}, not {value}")
    return value


def read_user_file(path: Path) -> dict[str, Any]:
    """The user's own configuration file (TOML); empty where there is none.

    Raises:
        InputError: The file cannot be read as TOML.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", hint="mend or remove the file") from error


assert {field.name for field in fields(Settings)} == set(_BY_NAME)  # noqa: S101 - declared once, used once
