"""Does not load: there is no such module."""

import nothing_of_this_name
