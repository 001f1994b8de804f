"""Tumour spheroids in droplets: segmented by a U-Net, counted and measured, in any number of images."""
