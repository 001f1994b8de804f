"""Crisis computing: is a tweet of use to helpers? A text model, an image model, and their late fusion."""
