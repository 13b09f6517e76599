"""The games: rules, and what people see of them."""
