"""Measuring: contestants on labelled pages, the measures of papers, and the report.

Nothing here is loaded by `import tamis`. docs/explanation/evaluation.md explains the measures.
"""
