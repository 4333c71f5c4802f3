"""tamis in other libraries: one file and one extra for each, imported only when asked for."""
