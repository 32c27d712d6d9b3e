"""From clips to weights: importers, curation, captions, augmentation, losses, loop."""
