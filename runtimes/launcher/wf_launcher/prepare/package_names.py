"""How a package is called where: in the index, in an import, in Debian. The table has what no rule gives."""

_IMPORTS = {
    "beautifulsoup4": "bs4",
    "gdal": "osgeo",
    "imbalanced-learn": "imblearn",
    "opencv-contrib-python": "cv2",
    "opencv-python": "cv2",
    "opencv-python-headless": "cv2",
    "pillow": "PIL",
    "protobuf": "google.protobuf",
    "pytables": "tables",
    "python-dateutil": "dateutil",
    "pytorch-lightning": "pytorch_lightning",
    "pyyaml": "yaml",
    "scikit-image": "skimage",
    "scikit-learn": "sklearn",
}
_DEBIAN = {
    "beautifulsoup4": ["python3-bs4"],
    "gdal": ["python3-gdal"],
    "imbalanced-learn": ["python3-imblearn"],
    "numpy": ["python3-numpy", "libopenblas0-pthread"],
    "opencv-python": ["python3-opencv"],
    "opencv-python-headless": ["python3-opencv"],
    "pillow": ["python3-pil"],
    "pytables": ["python3-tables"],
    "python-dateutil": ["python3-dateutil"],
    "pyyaml": ["python3-yaml"],
    "scikit-image": ["python3-skimage"],
    "scikit-learn": ["python3-sklearn"],
    # Without OpenBLAS, Debian's PyTorch multiplies matrices thirteen times slower.
    "torch": ["python3-torch", "libopenblas0-pthread"],
}


def import_name(package):
    """The module to try first; None where the package itself has to be asked."""
    return _IMPORTS.get(package)


def debian_packages(package):
    """The first one has the package's version."""
    return _DEBIAN.get(package, ["python3-" + package])
