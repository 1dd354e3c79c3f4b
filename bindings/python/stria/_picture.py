# SPDX-License-Identifier: BSD-3-Clause
"""Draws a layout for notebooks: the elements of the last two dims, coloured by their place in memory."""

from html import escape

_MOST = 12  # most rows and columns that are drawn


class Explanation(str):
    """Text that a notebook shows with the picture."""

    def __new__(cls, array):
        made = super().__new__(cls, "\n".join(_lines(array)))
        made.array = array
        return made

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return picture(self.array) + f"<pre>{escape(self)}</pre>"


def _lines(array):
    yield array.layout
    if array.device == "meta":
        yield "no memory: shape and dtype alone"
        return
    span = array.itemsize + sum(abs(s) * (n - 1) for s, n in zip(array.strides, array.shape)) if array.size else 0
    kept = array.retained_bytes()
    yield f"{array.nbytes} bytes of elements in {span} bytes of memory" + (f", {kept} of which are kept" if kept else "")
    order = sorted((d for d in range(array.ndim) if array.shape[d] > 1), key=lambda d: -abs(array.strides[d]))
    if len(order) > 1:
        yield f"in memory the dims come in the order {', '.join(map(str, order))}"
    if array.overlaps_itself():
        yield "elements share memory"
    if array.is_contiguous():
        yield "dense in C order: contiguous() and reshape() copy nothing"
    else:
        try:
            array.view(-1)
            yield f"contiguous() copies {array.nbytes} bytes, reshape(-1) none"
        except ValueError as error:
            yield f"contiguous() copies {array.nbytes} bytes; {str(error).partition(': ')[2]}"


def _cells(array):
    """Returns the corner of the last two dims, and the strides along them."""
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
