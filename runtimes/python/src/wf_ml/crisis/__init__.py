"""Crisis computing: is a tweet with a picture of use to helpers? A text model, an image model, and their late fusion."""
