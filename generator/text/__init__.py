"""Everything that pupils and teachers read, in German and English; no words live in code."""
