"""The tab Learn: what is chosen, the loss of each pass, weights before and after."""
