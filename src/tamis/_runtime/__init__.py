"""What all layers stand on: limits, processes, files, extras, and facts of the build."""
