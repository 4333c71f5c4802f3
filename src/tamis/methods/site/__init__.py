"""The site methods: they are fitted to pages of one site. What they share has an underscore."""
