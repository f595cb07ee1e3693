"""What is recalled first, and why: formulas over figures, without files, rows or time."""
