"""What all attempts of a launcher share."""


class Site:
    def __init__(self, folder, durable, spares):
        self.folder = folder
        self.durable = durable
        self.spares = spares
        self.has_gpus = False
