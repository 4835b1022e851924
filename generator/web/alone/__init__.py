"""The page for teachers without a server: `page` writes it, a browser runs it."""
