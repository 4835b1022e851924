"""Papers for whoever plans lessons, beside the sheets themselves."""
