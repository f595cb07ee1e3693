"""Recall: what is ranked, what was retrieved, what was used. Pure: no files, no SQL, no time."""
