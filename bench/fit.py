"""fit - with which power of its size something grows."""
import math


def slope(points):
    """Of the straight line with the least squares."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return (sum((x - mean_x) * (y - mean_y) for x, y in points)
            / sum((x - mean_x) ** 2 for x, _ in points))


def exponent(points, noise):
    """The power of the size with which points (size, cost) grow over the first; None if they do not.

    The worse of two answers counts: over all points that have grown, and at the end.
    """
    (start, floor), *rest = points
    least_growth = max(floor / 2, noise)
    if rest[-1][1] - floor < least_growth:
        return None
    grown = [(math.log(size - start), math.log(max(cost - floor, noise))) for size, cost in rest
             if cost - floor >= least_growth or size == rest[-2][0]]
    return max(slope(grown), slope(grown[-2:]))
