import sys

sys.exit("run me with the simulator")
