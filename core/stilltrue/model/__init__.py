"""The nouns: frozen values with no behaviour beyond themselves."""
