"""One extraction method a file; the file's name is the method's name (see `_registry`)."""
