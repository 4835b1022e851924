"""What lies on the teacher's desk: class files, answer key, manifest, and lost sheets again."""
