"""One file a worksheet: what it shows, gives, works through and asks. Data, no numbers."""
