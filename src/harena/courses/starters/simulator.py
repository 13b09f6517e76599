"""The simulator of COMP 424 as Harena plays it: `python simulator.py --player_2 student_agent --autoplay`."""

from harena.courses.simulator import main

if __name__ == "__main__":
    main()
