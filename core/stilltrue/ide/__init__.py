"""What an editor shows, in editor words: no protocol, no store, no git."""
