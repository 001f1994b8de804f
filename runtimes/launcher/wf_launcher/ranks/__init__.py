"""The processes of a distributed task: starting them, measuring each, and what they come to together."""
