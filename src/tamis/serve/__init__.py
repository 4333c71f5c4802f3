"""The service: extraction over HTTP, on Starlette and uvicorn; `tamis serve` starts it."""
