print("notes are no agents")
