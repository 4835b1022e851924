"""What the template of sheet formulas may ask: what that of sheet math may."""

from generator.sheets.sheetmath.view import ViewMath as ViewFormulas

__all__ = ["ViewFormulas"]
