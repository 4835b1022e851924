"""The tab "At a glance"."""
