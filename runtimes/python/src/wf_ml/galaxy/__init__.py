"""Galaxy morphology: images in class folders, five unbalanced classes, a VGG-like network."""
