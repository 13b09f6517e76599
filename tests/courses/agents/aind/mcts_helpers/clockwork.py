class Clock:
    def __init__(self, time_left, keep):
        self.time_left, self.keep = time_left, keep

    def is_due(self):
        return self.time_left() < self.keep
