"""Each adapter against the real library, in an environment of its own: `make integrations`."""
