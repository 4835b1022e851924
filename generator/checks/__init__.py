"""The verdict on one entered cell: used by the exercise workbook and by grading."""
