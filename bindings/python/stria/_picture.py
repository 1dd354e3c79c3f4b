# SPDX-License-Identifier: BSD-3-Clause
"""A picture of a layout for notebooks: the elements of the last two dims, coloured by where they lie in memory."""

from html import escape

_MOST = 12  # rows and columns that are drawn


def _cells(array):
    """The corner of the last two dims, and the strides along them."""
    corner = array
    while corner.ndim > 2:
        corner = corner[0]
    while corner.ndim < 2:
        corner = corner[None]
    return corner[:_MOST, :_MOST], corner.shape


def picture(array):
    head = f"<div><code>stria.Array</code> {escape(array.layout)}</div>"
    if array.size == 0 or array.device == "meta":
        return head
    corner, shape = _cells(array)
    step = [abs(s) for s in corner.strides]
    span = max(1, sum(s * (n - 1) for s, n in zip(step, corner.shape)))
    rows = []
    for i in range(corner.shape[0]):
        cells = []
        for j in range(corner.shape[1]):
            at = i * corner.strides[0] + j * corner.strides[1]
            low = sum(min(0, s * (n - 1)) for s, n in zip(corner.strides, corner.shape))
            hue = int(240 * (at - low) / span)
            cells.append(f'<td title="byte {at:+d}" style="background:hsl({hue},70%,85%);color:#000;'
                         f'text-align:right;padding:1px 5px">{escape(str(corner[i, j]))}</td>')
        more = "<td>…</td>" if shape[1] > _MOST else ""
        rows.append(f"<tr>{''.join(cells)}{more}</tr>")
    if shape[0] > _MOST:
        rows.append("<tr><td>⋮</td></tr>")
    return f'{head}<table style="font-family:monospace;border-collapse:collapse">{"".join(rows)}</table>'
