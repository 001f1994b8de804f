"""One page that holds everything, for a person who knows the field and not the program."""
