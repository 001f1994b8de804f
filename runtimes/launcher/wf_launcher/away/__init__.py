"""Jobs on machines that do not see the site's storage: what is sent with them, how it is used there, what returns."""
