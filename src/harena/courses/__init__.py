"""The courses: what their agents import, their commands, and how submissions are checked and graded."""
