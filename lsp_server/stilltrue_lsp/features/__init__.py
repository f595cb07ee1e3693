"""One file a feature; none knows another."""
