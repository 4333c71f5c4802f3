"""Addresses that become WARC files: politely, within what robots.txt files allow."""
