"""The gallery: every shipped preset's files, ready made, as pages that need no server."""
