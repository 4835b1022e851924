"""The walk: every step on its own page in the terminal, fit for a projector."""

from generator.render.walk.keyboard import keyboard
from generator.render.walk.page import Chart, Page, Table
from generator.render.walk.pages import pages
from generator.render.walk.show import show, terminal

__all__ = ["Chart", "Page", "Table", "keyboard", "pages", "show", "terminal"]
