"""Colours, frames and charts, which follow what the cells hold."""
