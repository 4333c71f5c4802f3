"""The posts of a thread, a question and its answers, or the comments below an article.

`clues` finds dates, authors and names in the page; `families` are elements that repeat; `threads`
chooses the family whose units are posts; `units` lays them side by side, `fields` finds author,
date, address and depth of each, and `messages` what was written.
"""
