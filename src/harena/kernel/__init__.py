"""The vocabulary that games and searches are written in: values, generic functions, bits, boards, compiled code."""
