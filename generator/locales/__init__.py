"""What depends on the language: a folder each, with all that pupils and teachers read."""
