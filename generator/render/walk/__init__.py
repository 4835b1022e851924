"""The walk: every step on its own page in the terminal, fit for a projector."""

from generator.render.walk.page import Chart, Page, WalkTable
from generator.render.walk.pages import ALL, pages, walked
from generator.render.walk.show import keyboard, show, terminal

__all__ = ["ALL", "Chart", "Page", "WalkTable", "keyboard", "pages", "show", "terminal", "walked"]
