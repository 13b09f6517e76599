"""The year of the course, which the host sets before an agent is imported: 2022 and 2023 differ in details."""

YEAR = 2023
