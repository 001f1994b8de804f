"""How good a prediction is. With numpy alone."""
