"""Who is in the class: its list, its seats and the codes on the pages."""
