"""An open buffer as the bytes its file would have if it were saved now (design 2; F7). Writes nothing."""

from __future__ import annotations

from stilltrue.citations.lines import UTF8_BOM, fold_line_ends
from stilltrue.ide.buffer import BOM, BufferMapping, compare
from stilltrue.model.verdict import Reason
from stilltrue.services.workspace import Workspace
from stilltrue.source.files import FileText


def compared(
    workspace: Workspace, path: str, text: str | None, known: BufferMapping | None
) -> tuple[BufferMapping, FileText]:
    """The way from buffer to bytes; an edited buffer tells nothing of it, so what was known stays."""
    disk = workspace.fresh_tree().read(path)
    found = compare(text, disk.data) if text is not None else BufferMapping()
    if text is None or known is None or not differs(as_saved(text, found, disk), disk, found):
        return found, disk
    return known, disk


def differs(shown: FileText, disk: FileText, mapping: BufferMapping) -> bool:
    """Whether a save would change more than a byte-order mark or line ends that the editor unified."""
    here, there = (each and each.removeprefix(UTF8_BOM) for each in (shown.data, disk.data))
    if mapping.disk_line_ends and here is not None and there is not None:
        here, there = fold_line_ends(here), fold_line_ends(there)
    return here != there or here is None


def as_saved(text: str | None, mapping: BufferMapping, disk: FileText) -> FileText:
    """What the file would hold if the buffer were saved now."""
    if text is None:
        return disk
    if disk.obstacle is Reason.OUTSIDE_ROOT:
        return disk
    data = mapping.to_bytes(text.removeprefix(BOM))
    return FileText(obstacle=Reason.ENCODING) if data is None else FileText(data=data)
