"""The simulator of COMP 424 as Harena plays it: `python simulator.py --player_2 student_agent --autoplay`."""

import sys

PYTHON = "the Python in which harena is installed"

try:
    from harena.courses.simulator import main
except ImportError as error:
    sys.exit(f"simulator.py: {error}: run it with another Python, {PYTHON}")

if __name__ == "__main__":
    main()
