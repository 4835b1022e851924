"""What the exercise workbook asks, and the experiments it offers: data, no numbers."""
