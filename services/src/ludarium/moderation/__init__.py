"""What moderators look up and do, and the reports that players send them."""
