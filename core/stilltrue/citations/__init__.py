"""Text in, answers out: lines, spans, hashes, relocation. No files, no processes, no time."""
