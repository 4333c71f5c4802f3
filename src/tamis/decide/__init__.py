"""From scores to what is kept: the best blocks by score, then rules and switches in order."""
