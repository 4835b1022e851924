"""Makes the files of a class, by one process or many, and puts them where they belong."""
