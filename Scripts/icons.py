"""Draws the icons of the installed app from our own mark: `.venv/bin/python Scripts/icons.py`. Run once; the results are
committed. Chromium draws, and what it drew is written with a palette, which makes the files a few kilobytes in all."""

import re
import struct
import zlib
from collections import Counter
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parents[1] / "Sources/Pages/Static"
MARK = (STATIC / "icon.svg").read_text()
PAPER = re.search(r'<rect width="64" height="64" rx="15" fill="(#\w+)"/>', MARK)

# A phone cuts a maskable icon to any shape within which a circle of four fifths fits: the whole square is paper, and the
# mark keeps to the circle (W3C, Web Application Manifest, "Icon masks and safe zone"). Apple rounds the corners itself.
PICTURES = [
    ("icon-192.png", 192, None), ("icon-512.png", 512, None), ("icon-180.png", 180, 0.92),
    ("icon-maskable-192.png", 192, 0.8), ("icon-maskable-512.png", 512, 0.8),
]

PIXELS = """async ([svg, size]) => {
    const image = new Image()
    image.src = 'data:image/svg+xml;base64,' + btoa(svg)
    await image.decode()
    const canvas = new OffscreenCanvas(size, size)
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0, size, size)
    return [...context.getImageData(0, 0, size, size).data]
}"""


def full_bleed(scale):
    inside = MARK.replace(PAPER.group(0), "").split(">", 1)[1].rsplit("</svg>", 1)[0]
    shift = 32 * (1 - scale)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="{PAPER.group(1)}"/>'
            f'<g transform="translate({shift} {shift}) scale({scale})">{inside}</g></svg>')


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(size, pixels):
    """PNG (ISO/IEC 15948) with a palette of at most 256 colours with their transparency."""
    colours = [tuple(pixels[i:i + 4]) for i in range(0, len(pixels), 4)]
    common = {colour for colour, _ in Counter(colours).most_common(3)}
    # The blends at the edges are rounded, so that they share few places; paper, ink and nothing stay as they are.
    colours = [one if one in common else tuple(min(round(part / 6) * 6, 255) for part in one) for one in colours]
    colours = [(0, 0, 0, 0) if colour[3] == 0 else colour for colour in colours]
    palette = sorted(set(colours), key=lambda colour: colour[3])   # the transparent ones first: tRNS may then be short
    assert len(palette) <= 256, len(palette)
    index = {colour: i for i, colour in enumerate(palette)}
    rows = b"".join(
        b"\0" + bytes(index[colour] for colour in colours[y * size:(y + 1) * size]) for y in range(size))
    alpha = bytes(colour[3] for colour in palette if colour[3] < 255)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(bytes(colour[:3]) for colour in palette))
            + (chunk(b"tRNS", alpha) if alpha else b"") + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        for name, size, scale in PICTURES:
            svg = MARK if scale is None else full_bleed(scale)
            data = png(size, page.evaluate(PIXELS, [svg, size]))
            (STATIC / name).write_bytes(data)
            print(name, len(data))
        browser.close()


if __name__ == "__main__":
    main()
