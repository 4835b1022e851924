"""What the templates of single sheets may ask, one file a sheet."""
