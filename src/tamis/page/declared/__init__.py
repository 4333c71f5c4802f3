"""What a page says about itself for machines: meta tags, links, JSON-LD, microdata, headline."""
