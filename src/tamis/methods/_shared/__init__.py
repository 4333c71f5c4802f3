"""What several published methods share."""
