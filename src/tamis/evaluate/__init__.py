"""Measuring: data sets, measures, contestants, the bench, its report and the gate.

Nothing here is loaded by `import tamis`; `tamis bench` and `python -m tamis.evaluate.gate` are the
ways in. docs/explanation/evaluation.md explains the measures and the gate.
"""
