"""Writes the tab "At a glance"; where things stand is in layout/glance.py and glance_plan.py."""
