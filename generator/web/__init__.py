"""The page for a teacher without a terminal: its questions, its work, its server."""
