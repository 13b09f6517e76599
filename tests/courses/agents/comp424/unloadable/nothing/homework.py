def solve():
    return 42
