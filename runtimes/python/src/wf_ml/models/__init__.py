"""Small networks. What is needed to build one again is plain data, and travels with its weights."""
