"""svgplot - bar charts and curves as SVG, for the pages that measurements end up on.

Both functions return the text of a self-contained SVG file: no script, no fonts, nothing to install.
The same numbers give the same bytes, so that a committed picture changes only when they do.
"""
import math
from xml.sax.saxutils import escape

# Okabe and Ito's colours: told apart with any kind of colour vision, and in print.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]
GRID = "#dddddd"
FONT = 12
CHARACTER = 6.6  # how wide one is at most, on average, at that size


def number(value):
    """Three digits, and a letter for thousands: 1.5k, 30M; plain for small ones."""
    if value == 0:
        return "0"
    for factor, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor * 0.9995:
            return f"{value / factor:.3g}{letter}"
    return f"{value:.3g}"


class Axis:
    """Where a value lies between two ends of the picture, and which values to write there."""

    def __init__(self, values, start, end, log):
        self.start, self.end, self.log = start, end, log
        low, high = min(values), max(values)
        if log:
            if low <= 0:
                raise ValueError("a logarithmic axis has no place for 0 and less")
            self.ticks = self.log_ticks(low, high)
        else:
            self.ticks = self.even_ticks(min(low, 0), max(high, 0))
        self.low, self.high = self.ticks[0], self.ticks[-1]

    @staticmethod
    def log_ticks(low, high):
        """Powers of ten around the values; with 2 and 5 between them where there are few."""
        first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
        last = max(last, first + 1)
        steps = (1, 2, 5) if last - first <= 2 else (1,)
        ticks = [step * 10.0 ** power for power in range(first, last) for step in steps]
        ticks.append(10.0 ** last)
        below = max(tick for tick in ticks if tick <= low * (1 + 1e-9))
        above = min(tick for tick in ticks if tick >= high * (1 - 1e-9) and tick > below)
        return [tick for tick in ticks if below <= tick <= above]

    @staticmethod
    def even_ticks(low, high):
        """Round numbers, about six of them, from at or below `low` to at or above `high`."""
        rough = (high - low) / 5 or 1
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(unit * n for n in (1, 2, 5, 10) if unit * n >= rough * (1 - 1e-9))
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        return [round(i * step, 12) for i in range(first, max(last, first + 1) + 1)]

    def place(self, value):
        to = math.log10 if self.log else float
        share = (to(value) - to(self.low)) / (to(self.high) - to(self.low))
        return self.start + share * (self.end - self.start)


def text(x, y, words, anchor="start", size=FONT, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>'
            f"{escape(words)}</text>")


def line(x1, y1, x2, y2, colour):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def svg(width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" fill="#222222">')
    return "\n".join([head, f"<title>{escape(title)}</title>",
                      '<rect width="100%" height="100%" fill="#ffffff"/>',
                      text(10, 20, title, size=FONT + 2), *parts, "</svg>", ""])


def bar_chart(title, groups, axis="", log=False, width=760, colours=None):
    """Horizontal bars. `groups` is a list of (heading, bars), a bar (label, value, series).

    The series chooses the colour, in order of first appearance or from the dictionary `colours`; with more
    than one there is a legend. A value may be None, which is written as "-".
    """
    bars = [bar for _, group in groups for bar in group]
    values = [value for _, value, _ in bars if value is not None]
    if not values:
        raise ValueError("a chart of nothing")
    series = list(dict.fromkeys(name for _, _, name in bars))
    colours = colours or {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(series)}
    left = 20 + CHARACTER * max(len(label) for label, _, _ in bars)
    scale = Axis(values, left, width - 70, log)
    parts, y = [], 32
    if len(series) > 1:
        x = left
        for name in series:
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="12" height="12" fill="{colours[name]}"/>')
            parts.append(text(x + 16, y + 10, name))
            x += 34 + CHARACTER * len(name)
        y += 22
    top, rows = y, []
    for heading, group in groups:
        if heading:
            rows.append(text(10, y + 14, heading, more=' font-weight="bold"'))
            y += 22
        for label, value, name in group:
            rows.append(text(left - 6, y + 13, label, "end"))
            if value is None:
                rows.append(text(left + 4, y + 13, "-"))
            else:
                zero = left if log else scale.place(0)
                end = scale.place(value)
                rows.append(f'<rect x="{min(zero, end):.1f}" y="{y}" width="{max(abs(end - zero), 1):.1f}" '
                            f'height="16" fill="{colours[name]}"/>')
                rows.append(text(max(zero, end) + 4, y + 13, number(value)))
            y += 21
        y += 6
    grid = [part for tick in scale.ticks
            for part in (line(scale.place(tick), top, scale.place(tick), y, GRID),
                         text(scale.place(tick), y + 14, number(tick), "middle", FONT - 1))]
    parts += [*grid, *rows, text((left + width - 70) / 2, y + 32, axis, "middle")]
    return svg(width, y + 42, title, parts)


def curve_chart(title, series, x_axis, y_axis, log_x=True, log_y=True, lines=True, width=760,
                height=380):
    """Points, joined by lines or not. `series` is a list of (name, points), a point (x, y)."""
    points = [point for _, some in series for point in some]
    if not points:
        raise ValueError("a chart of nothing")
    legend = 44 + CHARACTER * max(len(name) for name, _ in series)
    bottom, top = height - 46, 36
    across = Axis([x for x, _ in points], 70, width - legend, log_x)
    up = Axis([y for _, y in points], bottom, top, log_y)
    parts = []
    for tick in across.ticks:
        x = across.place(tick)
        parts += [line(x, top, x, bottom, GRID), text(x, bottom + 16, number(tick), "middle", FONT - 1)]
    for tick in up.ticks:
        y = up.place(tick)
        parts += [line(across.start, y, across.end, y, GRID),
                  text(across.start - 6, y + 4, number(tick), "end", FONT - 1)]
    parts += [text((across.start + across.end) / 2, height - 10, x_axis, "middle"),
              text(0, 0, y_axis, "middle",
                   more=f' transform="translate(16 {(top + bottom) / 2:.0f}) rotate(-90)"')]
    for i, (name, some) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        dashes = ["", ' stroke-dasharray="6 3"', ' stroke-dasharray="2 3"'][i // len(COLOURS) % 3]
        places = [(across.place(x), up.place(y)) for x, y in sorted(some)]
        if lines and len(places) > 1:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                         f'stroke-width="1.5"{dashes}/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        y = top + 8 + 18 * i
        parts += [f'<line x1="{across.end + 6:.1f}" y1="{y}" x2="{across.end + 24:.1f}" y2="{y}" '
                  f'stroke="{colour}" stroke-width="2"{dashes}/>' if lines else
                  f'<circle cx="{across.end + 16:.1f}" cy="{y}" r="4" fill="{colour}"/>',
                  text(across.end + 30, y + 4, name)]
    return svg(width, max(height, top + 18 * len(series) + 20), title, parts)
