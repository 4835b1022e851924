"""The gallery: its parts, its pages, its sequences."""
