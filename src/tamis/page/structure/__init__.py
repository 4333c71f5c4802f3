"""What groups of elements are: data tables, teasers, callouts, named parts, subtrees."""
