"""Pictures as people post them in a crisis, painted: what is damaged, what is everyday life, and what may be either."""
