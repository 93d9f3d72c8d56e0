"""Short names for what a module of the compiled firmware has for itself.

The VM keeps each name of a program for ever: its text and some nine bytes. What begins with an underscore belongs to
its module, and to modules whose classes inherit from its own. So do arguments that nobody gives by name, and functions
and attributes that no other module mentions. All modules can do with the same few: `_0`, `_1` and so on. Names that
stand in a text, and private ones that a stranger reads all the same, stay as they are.
"""

import ast
import builtins
import io
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator

from host_tools.edits import Edit, apply
from host_tools.fold import imports

_PRIVATE = re.compile(r"_[A-Za-z]\w*$")
_PUBLIC = re.compile(r"[a-z]\w*$")
_WORD = re.compile(r"\w+")
# Called by the VM: a file system that is mounted, and its files. And what objects have that are not of the firmware.
_PROTOCOL = {"mount", "umount", "chdir", "ioctl"}
_TYPES = (str, bytes, bytearray, memoryview, list, tuple, dict, set, int, io.BytesIO, io.StringIO, io.FileIO)
_STRANGE = _PROTOCOL.union(("cls", "self"), dir(builtins), *map(dir, _TYPES))


class _Module:
    """A module.

    Attributes: own: private names that it gives to something; foreign: others that it reads of anything; fixed: what
    cannot be followed, or may be a name in a text; arguments: names that only arguments and variables of functions
    have; public: those of its functions, methods and attributes; words: all.
    """

    def __init__(self, source: str):
        self.source = source
        self.tree = ast.parse(source)
        nodes = list(ast.walk(self.tree))
        own: set[str] = set()
        read: set[str] = set()
        fixed: set[str] = set()
        arguments: set[str] = set()
        public = _bound(self.tree)
        attributes: set[str] = set()
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                own.add(node.name)
            elif isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else own).add(node.id)
            elif isinstance(node, ast.Attribute):
                (read if isinstance(node.ctx, ast.Load) else own).add(node.attr)
                attributes.add(node.attr)
                if not isinstance(node.ctx, ast.Load):
                    public.add(node.attr)
            elif isinstance(node, ast.arg):
                own.add(node.arg)
                arguments.add(node.arg)
            elif isinstance(node, ast.alias):
                fixed.update((*node.name.split("."), node.asname or ""))
            elif isinstance(node, ast.keyword):
                fixed.add(node.arg or "")
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                fixed.update(node.names)
            elif isinstance(node, ast.ExceptHandler):
                fixed.add(node.name or "")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                fixed.update(_WORD.findall(node.value))
        self.own = {name for name in own if _PRIVATE.match(name)}
        self.foreign = {name for name in read if _PRIVATE.match(name)} - self.own
        self.fixed = fixed
        self.arguments = {name for name in arguments - public - attributes - _STRANGE if _PUBLIC.match(name)}
        self.public = {name for name in public - _STRANGE if _PUBLIC.match(name)}
        self.words = own | read | fixed

    def parents(self, known: Container[str]) -> set[str]:
        """The modules, of those known, from whose classes its own inherit."""
        modules, imported = imports(ast.walk(self.tree), known)
        home = {**modules, **{here: module for here, (module, _) in imported.items()}}
        bases = [base for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef) for base in node.bases]
        names = [base.value if isinstance(base, ast.Attribute) else base for base in bases]
        return {home[base.id] for base in names if isinstance(base, ast.Name) and base.id in home}

    def renamed(self, short: dict[str, str]) -> str:
        """Its source with other names."""
        return apply(self.source, self._edits(short))

    def _edits(self, short: dict[str, str]) -> Iterator[Edit]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in short:
                yield Edit.of(node, short[node.id])
            elif isinstance(node, ast.arg) and node.arg in short:
                yield Edit.of(node, short[node.arg])
            elif isinstance(node, ast.Attribute) and node.attr in short:
                line, end = node.end_lineno or 0, node.end_col_offset or 0
                yield Edit(line, end - len(node.attr), line, end, short[node.attr])
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in short:
                start = node.col_offset + len("def " if isinstance(node, ast.FunctionDef) else "class ")
                yield Edit(node.lineno, start, node.lineno, start + len(node.name), short[node.name])


def _bound(tree: ast.AST) -> set[str]:
    """The names that are given to something outside of functions, and those of functions and classes."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            found |= _bound(node)
    return found


def shorten(sources: dict[str, str], users: Iterable[str] = ()) -> dict[str, str]:
    """Give what modules have for themselves short names.

    Args: sources: of all its modules, by dotted name; users: sources of other programs that read them.
    Returns: the new sources.
    """
    modules = {name: _Module(source) for name, source in sources.items()}
    parents = {name: module.parents(modules) for name, module in modules.items()}
    heads = set().union(*parents.values())
    mentions = Counter(name for module in modules.values() for name in module.words)
    for module in modules.values():
        module.own |= {name for name in module.public if mentions[name] == 1}
    inherited = set().union(*(modules[name].own for name in heads))
    kept = set().union(*(module.fixed for module in modules.values()), *(_Module(source).words for source in users))
    for name, module in modules.items():
        kept |= module.foreign - (inherited if parents[name] else set())
    common = {name: f"_{number}" for number, name in enumerate(sorted(inherited - kept))}
    new = {}
    for name, module in modules.items():
        shared = common if parents[name] or name in heads else {}
        own = sorted((module.own | module.arguments) - kept - set(shared))
        new[name] = module.renamed({**shared, **{one: f"_{i}" for i, one in enumerate(own, len(shared))}})
    return new
