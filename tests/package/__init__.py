"""The package as its users get it: wheel, imports, doctor, README, set-up."""
