"""The pieces that all screens are made of: status line, hint line, paragraphs, lists."""

from tableside.ui import font_normal, font_small
from tableside.ui.canvas import wrap

COLUMNS = 21  # of the small face
BIG_COLUMNS = 16  # of the normal face
_BODY_ROWS = 6  # between the status line and the hint line
_ROW_X = 8  # rows of a list stand to the right of the cursor's mark
ROW_COLUMNS = 20
_RIGHT_COLUMNS = 10  # at most, of what stands on the right
_NUMBER_COLUMNS = 4  # of a number at the end that tells a unit from others, with the gap before it


def fit(text, columns):
    """The text, or its beginning and a mark that there is more; a number at its end, as in "Guard #12", is kept."""
    if len(text) <= columns:
        return text
    at = text.rfind(" #")
    end = text[at + 1 :] if at >= 0 and len(text) - at <= _NUMBER_COLUMNS else ""
    return text[: columns - 2 - len(end)] + ".." + end


def fits(text, rows):
    """Whether a text needs no more than so many rows of the small face."""
    return len(wrap(text, COLUMNS)) <= rows


def clip(text, columns, rows):
    """The lines of a text; if there are more than `rows`, so many of them and a mark at the end of the last."""
    lines = wrap(text, columns)
    if len(lines) > rows:
        lines = lines[:rows]
        lines[rows - 1] = lines[rows - 1][: columns - 2] + ".."
    return lines


def status(canvas, left, right="", beyond=""):
    """The inverse line on top of a cleared canvas: where we are, and whose turn it is.

    Args: beyond: a short mark at its right end that is not inverse, and so stands out.
    """
    columns = COLUMNS - len(beyond)
    end = canvas.width - len(beyond) * font_small.WIDTH
    right = fit(right, max(_RIGHT_COLUMNS, columns - len(left) - 1))
    canvas.text(fit(left, columns - len(right) - (1 if right else 0)), 0, 0, font_small)
    canvas.right(right, end, 0, font_small)
    canvas.invert(0, 0, end, 1)
    canvas.text(beyond, end, 0, font_small)


def hint(canvas, left, right=""):
    """The bottom line: what OK does, and what else there is."""
    canvas.text(fit(left, COLUMNS - len(right) - (1 if right else 0)), 0, 7, font_small)
    canvas.right(right, canvas.width, 7, font_small)


def paragraph(canvas, text, page, pages, big=True):
    """Draw wrapped text from `page` on: in the normal face if it fits into `pages`, else in the small one.

    Returns: the page after the text. What does not fit is marked with ".." at its end.
    """
    if big:
        lines = wrap(text, BIG_COLUMNS)
        if 2 * len(lines) <= pages:
            for line in lines:
                canvas.text(line, 0, page, font_normal)
                page += 2
            return page
    for line in clip(text, COLUMNS, pages):
        canvas.text(line, 0, page, font_small)
        page += 1
    return page


class List:
    """A list of rows with a cursor, scrolled so that the cursor is seen.

    Args: rows: a list of (left, right) texts. A row that is too long is shown in full while the cursor is on it; if it
        is longer than the display, moving goes through it first.
    """

    def __init__(self, rows, cursor=0):
        self.rows = rows
        self.cursor = max(0, min(cursor, len(rows) - 1))
        self._line = 0  # the first line to be seen of the cursor's row
        self._field = _BODY_ROWS
        self._page = 0  # of the first row
        self._drawn = -1  # where the cursor was, if every row took one line and none above was left out

    def move(self, step):
        """Move the cursor, or on within its row; at an end it stays. Returns whether it moved."""
        if self.rows:
            line = self._line + step * self._field
            if line >= 0 and line < len(_row_lines(*self.rows[self.cursor])):
                self._line = line
                return True
        new = self.cursor + step
        if not 0 <= new < len(self.rows):
            return False
        self.cursor = new
        self._line = 0
        return True

    def move_to(self, cursor):
        """Put the cursor on a row."""
        self.cursor = max(0, min(cursor, len(self.rows) - 1))
        self._line = 0

    def draw(self, canvas, page=1, pages=_BODY_ROWS):
        """Draw as many rows as fit, the cursor's row in full and with a mark."""
        self._field = pages
        heights = [1] * len(self.rows)
        if self.rows:
            lines = _row_lines(*self.rows[self.cursor])[self._line :]
            heights[self.cursor] = min(len(lines), pages)
        first = 0
        while first < self.cursor and sum(heights[first : self.cursor + 1]) > pages:
            first += 1
        end = page + pages
        for i in range(first, len(self.rows)):
            if page + heights[i] > end:
                break
            if i == self.cursor:
                self._draw_cursor(canvas, page, lines, pages)
            else:
                left, right = self.rows[i]
                right = fit(right, _RIGHT_COLUMNS)
                canvas.text(fit(left, _beside(right)), _ROW_X, page, font_small)
                canvas.right(right, canvas.width, page, font_small)
            page += heights[i]
        self._page = end - pages
        self._drawn = self.cursor if self.rows and not first and not self._line and len(lines) == 1 else -1

    def draw_move(self, canvas):
        """Draw the cursor where it is now, if that is all that `draw` would change. Returns whether it was."""
        old, new = self._drawn, self.cursor
        if old < 0 or new >= self._field or len(_row_lines(*self.rows[new])) > 1:
            return False
        canvas.text(" ", 0, self._page + old, font_small)
        canvas.text(">", 0, self._page + new, font_small)
        self._drawn = new
        return True

    def _draw_cursor(self, canvas, page, lines, pages):
        """The cursor's row, with arrows in the margin where it goes on."""
        canvas.text("↑" if self._line else ">", 0, page, font_small)
        if len(lines) > pages:
            canvas.text("↓", 0, page + pages - 1, font_small)
        for i, line in enumerate(lines[:pages]):
            canvas.text(line, _ROW_X, page + i, font_small)
        right = self.rows[self.cursor][1]
        if len(right) <= _RIGHT_COLUMNS and not self._line:
            canvas.right(right, canvas.width, page, font_small)


def _beside(right):
    """How many columns are left beside what stands on the right."""
    return ROW_COLUMNS - len(right) - (1 if right else 0)


def _row_lines(left, right):
    """The lines of a row in full; what is too long to stand on the right stands below."""
    if len(right) > _RIGHT_COLUMNS:
        return wrap(left, ROW_COLUMNS) + wrap(right, ROW_COLUMNS)
    return wrap(left, _beside(right))
