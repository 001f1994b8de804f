"""Segmentation of lungs in chest X-rays."""
