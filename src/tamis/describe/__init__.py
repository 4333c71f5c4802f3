"""What a page is: its title, author and dates, its type, its regions, and why."""
