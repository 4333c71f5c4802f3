"""HTTP around the endpoints: who may ask, what is shared, bodies, problems, metrics."""
