"""The only place that reads files and runs git."""
