"""What Python's pstats prints of a cProfile file: its 20 costliest functions."""
import pstats
import sys

pstats.Stats(sys.argv[1]).sort_stats("tottime").print_stats(20)
