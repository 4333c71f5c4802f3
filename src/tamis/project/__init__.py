"""Project folders: pages that people label, what was taught with them, and the accepted weights."""
