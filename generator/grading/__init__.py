"""What comes back from a class: whose files they are, and what was typed into them."""
