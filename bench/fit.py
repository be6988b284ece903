"""fit - with which power of its size something grows."""
import math


def exponent(points, noise):
    """The power of the size with which points (size, cost) grow at the end; None if they do not.

    What the smallest size costs is there anyway and does not count. The last two sizes tell: what has a limit,
    such as a stack that is cut off, may grow faster up to there.
    """
    start, floor = points[0]
    (size, cost), (last_size, last_cost) = points[-2:]
    if last_cost - floor < max(floor / 2, noise):
        return None
    return (math.log((last_cost - floor) / max(cost - floor, noise))
            / math.log((last_size - start) / (size - start)))
