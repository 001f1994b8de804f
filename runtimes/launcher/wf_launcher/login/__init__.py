"""What runs on a login node, for an engine elsewhere: hand jobs to the scheduler, watch for records, give jobs up."""
