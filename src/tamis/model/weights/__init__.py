"""Weights of learned methods: plain arrays with a card, and what computes with them."""
