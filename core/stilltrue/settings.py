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

from stilltrue.citations.ignoring import refuse_bad_globs
from stilltrue.errors import InputError

Value = bool | int | str | tuple[str, ...]
"""What a setting may be; lists of texts are kept as tuples."""

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
        scope: How far one value reaches in an editor: a whole window.
    """

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    scope: str = "window"

    @property
    def camel_name(self) -> str:
        """As editors write it: `diagnosticsDelay`."""
        return camel_name(self.name)

    @property
    def kind(self) -> str:
        """Its type in the words of JSON: `boolean`, `integer`, `string`, or `array` (of texts)."""
        return _KINDS[type(self.default)]


_KINDS = {bool: "boolean", int: "integer", str: "string", tuple: "array"}


def camel_name(name: str) -> str:
    """A name with underscores as editors write it: `diagnostics_delay` is `diagnosticsDelay`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


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
    Setting(
        "ignore",
        (),
        "Files whose memories are neither checked nor shown as stale, as patterns like those of .gitignore.",
    ),
    Setting(
        "display",
        "lens",
        "What marks cited lines beside diagnostics: a code lens, an inlay hint, or nothing.",
        choices=("lens", "hint", "none"),
    ),
    Setting(
        "heal_mode",
        "verdict",
        "What a background pass does when code changed: nothing, keep verdicts, or on a clean working tree "
        "also lower the confidence of stale memories, or demote them.",
        choices=("off", "verdict", "confidence", "demote"),
    ),
    Setting(
        "recall_preset",
        "neutral",
        "How recall ranks memories that were last found stale or unresolved: like others, stale ones at "
        "half, or as memharness 0.1.3 did.",
        choices=("neutral", "demote", "memharness-0.1.3"),
    ),
    Setting(
        "recall_embeddings",
        default=False,
        help="Fused recall also goes by meaning; needs the extra: pip install 'stilltrue[embeddings]'.",
    ),
    Setting("reinforce", default=True, help="Being recalled makes a memory count as recent again."),
    Setting(
        "reinforce_stale",
        default=True,
        help="Likewise for memories that are stale; better off where stale ones are ranked lower.",
    ),
    Setting(
        "stale_policy_recall",
        "tag",
        "How recall shows stale memories: in their place with a tag, below the others, or not at all.",
        choices=("tag", "quarantine", "skip"),
    ),
    Setting(
        "stale_policy_context",
        "skip",
        "How the text for a session's start shows stale memories.",
        choices=("tag", "quarantine", "skip"),
    ),
    Setting(
        "feedback",
        default=True,
        help="Keep what was retrieved, what was used of it and how that turned out.",
    ),
)
_BY_NAME = {setting.name: setting for setting in DECLARED}
_BY_CAMEL_NAME = {setting.camel_name: setting.name for setting in DECLARED}


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
    ignore: tuple[str, ...] = ()
    display: str = "lens"
    heal_mode: str = "verdict"
    recall_preset: str = "neutral"
    recall_embeddings: bool = False
    reinforce: bool = True
    reinforce_stale: bool = True
    stale_policy_recall: str = "tag"
    stale_policy_context: str = "skip"
    feedback: bool = True


def normalised(given: Mapping[str, Any]) -> dict[str, Any]:
    """A client's settings by their declared names, written `diagnosticsDelay` or `diagnostics_delay`.

    Unknown names stay as they are, for `resolve` to refuse.

    Raises:
        InputError: One setting is written in both ways.
    """
    found: dict[str, Any] = {}
    for written, value in given.items():
        name = _BY_CAMEL_NAME.get(written, written)
        if name in found:
            raise InputError(f"{name} is set twice", hint=f"write {name} or {camel_name(name)}, not both")
        found[name] = value
    return found


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


def checked(name: str, value: object) -> Value:
    """`value` if the setting `name` may have it.

    Raises:
        InputError: It may not; the message names what is allowed.
    """
    setting = _BY_NAME.get(name)
    if setting is None:
        raise InputError(f"unknown setting {name!r}", hint="known: " + ", ".join(sorted(_BY_NAME)))
    if isinstance(setting.default, tuple):
        return _checked_globs(name, value)
    wanted = type(setting.default)
    if not isinstance(value, (bool, int, str)) or type(value) is not wanted:
        raise InputError(f"{name} must be a {wanted.__name__}, not {value!r}")
    if setting.choices and value not in setting.choices:
        raise InputError(f"{name} may not be {value!r}", hint="allowed: " + ", ".join(setting.choices))
    if setting.minimum is not None and isinstance(value, int) and value < setting.minimum:
        raise InputError(f"{name} must be at least {setting.minimum}, not {value}")
    return value


def _checked_globs(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        raise InputError(f"{name} must be a list of texts, not {value!r}", hint=f'such as {name} = ["docs/"]')
    globs = tuple(value)
    refuse_bad_globs(name, globs)
    return globs


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
