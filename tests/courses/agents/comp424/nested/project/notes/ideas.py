def main():
    print("nothing to see")
