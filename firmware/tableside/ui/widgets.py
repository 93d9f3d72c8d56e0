"""The pieces that all screens are made of: status line, hint line, paragraphs, lists."""

from tableside.ui import font_normal, font_small
from tableside.ui.canvas import wrap

COLUMNS = 21  # of the small face
BIG_COLUMNS = 16  # of the normal face
_BODY_ROWS = 6  # between the status line and the hint line
_ROW_X = 8  # rows of a list stand to the right of the cursor's mark
_ROW_COLUMNS = 20
_RIGHT_COLUMNS = 10  # at most, of what stands on the right


def fit(text, columns):
    """The text, or its beginning and a mark that there is more."""
    return text if len(text) <= columns else text[: columns - 2] + ".."


def status(canvas, left, right=""):
    """The inverse line on top: where we are, and whose turn it is."""
    right = fit(right, _RIGHT_COLUMNS)
    canvas.fill(0, 0, canvas.width, 1)
    canvas.text(fit(left, COLUMNS - len(right) - (1 if right else 0)), 0, 0, font_small, True)
    canvas.right(right, canvas.width, 0, font_small, True)


def hint(canvas, left, right=""):
    """The bottom line: what OK does, and what else there is."""
    canvas.text(fit(left, COLUMNS - len(right) - (1 if right else 0)), 0, 7, font_small)
    canvas.right(right, canvas.width, 7, font_small)


def paragraph(canvas, text, page, pages, big=True):
    """Draw wrapped text from `page` on: in the normal face if it fits into `pages`, else in the small one.

    Returns: the page after the text. What does not fit is marked with ".." at its end.
    """
    lines = wrap(text, BIG_COLUMNS)
    if big and 2 * len(lines) <= pages:
        for line in lines:
            canvas.text(line, 0, page, font_normal)
            page += 2
        return page
    lines = wrap(text, COLUMNS)
    if len(lines) > pages:
        lines = lines[:pages]
        lines[pages - 1] = lines[pages - 1][: COLUMNS - 2] + ".."
    for line in lines:
        canvas.text(line, 0, page, font_small)
        page += 1
    return page


class List:
    """A list of rows with a cursor, scrolled so that the cursor is seen.

    Args: rows: a list of (left, right) texts; a row that is too long is shown in full while the cursor is on it.
    """

    def __init__(self, rows, cursor=0):
        self.rows = [(left, fit(right, _RIGHT_COLUMNS)) for left, right in rows]
        self.cursor = max(0, min(cursor, len(rows) - 1))

    def move(self, step):
        """Move the cursor; at an end it stays. Returns whether it moved."""
        new = self.cursor + step
        if not 0 <= new < len(self.rows):
            return False
        self.cursor = new
        return True

    def draw(self, canvas, page=1, pages=_BODY_ROWS):
        """Draw as many rows as fit, the cursor's row in full and with a mark."""
        heights = []
        for i, (left, right) in enumerate(self.rows):
            heights.append(len(_row_lines(left, right)) if i == self.cursor else 1)
        first = 0
        while first < self.cursor and sum(heights[first : self.cursor + 1]) > pages:
            first += 1
        end = page + pages
        for i in range(first, len(self.rows)):
            if page + heights[i] > end:
                break
            page = self._draw_row(canvas, i, page)

    def _draw_row(self, canvas, i, page):
        left, right = self.rows[i]
        lines = _row_lines(left, right)
        if i != self.cursor:
            lines = [fit(left, _ROW_COLUMNS - len(right) - (1 if right else 0))]
        else:
            canvas.text(">", 0, page, font_small)
        for line in lines:
            canvas.text(line, _ROW_X, page, font_small)
            canvas.right(right, canvas.width, page, font_small)
            right = ""
            page += 1
        return page


def _row_lines(left, right):
    return wrap(left, _ROW_COLUMNS - len(right) - (1 if right else 0))
