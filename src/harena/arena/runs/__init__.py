"""Runs: the kinds of them, the runner that plays one as an iterator of events, and where its games are played."""
