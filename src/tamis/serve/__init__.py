"""The service: extraction over HTTP, on FastAPI and uvicorn; `tamis serve` starts it."""
