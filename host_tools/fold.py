"""Folding the constants of the firmware before it is compiled, across its modules.

A module-level name costs RAM on the device: its text, an entry of the module's table and the code that looks it up.
Where the value is a number or a text known here, every use of it becomes the value, in place: line numbers stay. The
definitions and imports that nobody needs any more go. `const()` of MicroPython does the like within one module.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator

from host_tools.edits import Edit, apply

Value = int | str
_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*$")
_SMALL = 1 << 30  # larger numbers are objects
_WHOLE = -1  # the place of a value that is not part of a tuple
_INTERNED = 10  # texts of up to so many characters are kept once however often they occur
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b, ast.BitOr: lambda a, b: a | b,
    ast.BitAnd: lambda a, b: a & b, ast.LShift: lambda a, b: a << b, ast.RShift: lambda a, b: a >> b,
}


def imports(nodes: Iterable[ast.AST], known: Container[str]) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """What a module imports of those known, by the name that it has there: modules; and names, with their module."""
    modules: dict[str, str] = {}
    names: dict[str, tuple[str, str]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                here = alias.asname or alias.name
                if f"{node.module}.{alias.name}" in known:
                    modules[here] = f"{node.module}.{alias.name}"
                elif node.module in known:
                    names[here] = (node.module, alias.name)
    return modules, names


class _Module:
    """A module and what it binds at its top."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.source = source
        self.tree = ast.parse(source)
        self.nodes = list(ast.walk(self.tree))
        self.definitions: dict[str, tuple[ast.stmt, ast.expr | None, int]] = {}  # statement, value, place in it
        self.modules: dict[str, str] = {}  # the name that an imported module has here: its dotted name
        self.names: dict[str, tuple[str, str]] = {}  # an imported name here: its module, its name there
        stores = Counter(node.id for node in self.nodes
                         if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))
        stores.update(node.arg for node in self.nodes if isinstance(node, ast.arg))
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for place, bound in enumerate(names):
                    if isinstance(bound, ast.Name) and _CONSTANT.match(bound.id) and stores[bound.id] == 1:
                        where = place if isinstance(target, ast.Tuple) else _WHOLE
                        self.definitions[bound.id] = (statement, statement.value, where)


class _Folder:
    def __init__(self, sources: dict[str, str], texts: dict[tuple[str, str], str], reader: str) -> None:
        self.modules = {name: _Module(name, source) for name, source in sources.items()}
        for module in self.modules.values():
            module.modules, module.names = imports(module.nodes, self.modules)
        self._texts = texts
        self._reader = reader
        self._values: dict[tuple[str, str], Value | None] = {}

    def value(self, module: str, name: str) -> Value | None:
        """The value of a constant of a module, None if it is none."""
        key = (module, name)
        if key in self._texts:
            return None
        if key not in self._values:
            self._values[key] = None  # while it is looked for
            definition = self.modules[module].definitions.get(name)
            if definition:
                _, node, place = definition
                value = self._part(self.modules[module], node, place)
                self._values[key] = None if isinstance(value, int) and abs(value) >= _SMALL else value
        return self._values[key]

    def _part(self, module: _Module, node: ast.expr | None, place: int) -> Value | None:
        if place == _WHOLE:
            return self._evaluate(module, node)
        if isinstance(node, ast.Tuple):
            return self._evaluate(module, node.elts[place])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            limits = [self._evaluate(module, limit) for limit in node.args]
            if all(isinstance(limit, int) for limit in limits):
                return range(*limits)[place]  # type: ignore[arg-type]
        return None

    def _evaluate(self, module: _Module, node: ast.expr | None) -> Value | None:
        if isinstance(node, ast.Constant):
            value = node.value
            return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None
        if isinstance(node, (ast.Name, ast.Attribute)):
            found = self.source_of(module, node)
            return self.value(*found) if found else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._evaluate(module, node.operand)
            return -value if isinstance(value, int) else None
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self._evaluate(module, node.left), self._evaluate(module, node.right)
            if isinstance(left, int) and isinstance(right, int):
                return _OPERATORS[type(node.op)](left, right)
        return None

    def source_of(self, module: _Module, node: ast.expr) -> tuple[str, str] | None:
        """Where a name or an attribute of a module comes from: module and name there."""
        if isinstance(node, ast.Name):
            if node.id in module.definitions:
                return module.name, node.id
            return module.names.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in module.modules:
            return module.modules[node.value.id], node.attr
        return None

    def uses(self, module: _Module) -> Iterator[tuple[ast.expr, tuple[str, str]]]:
        """Every place that reads a constant, and where that comes from."""
        for node in module.nodes:
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                found = self.source_of(module, node)
                if found and (found in self._texts or self.value(*found) is not None):
                    yield node, found

    def run(self, users: Iterable[str]) -> dict[str, str]:
        readers: dict[tuple[str, str], set[str]] = {}
        for module in self.modules.values():
            for _, found in self.uses(module):
                readers.setdefault(found, set()).add(module.name)
        edits: dict[str, list[Edit]] = {name: [] for name in self.modules}
        folded: set[int] = set()  # the nodes that are gone
        for module in self.modules.values():
            called = set()
            for node, found in self.uses(module):
                value = self.value(*found)
                if found in self._texts:
                    edits[module.name].append(Edit.of(node, self._texts[found]))
                    folded.update(id(part) for part in ast.walk(node))
                    called.update(re.findall(r"(\w+)\(", self._texts[found]))
                elif isinstance(value, int) or len(value or "") <= _INTERNED or len(readers[found]) == 1:
                    text = f"({value})" if isinstance(value, int) and value < 0 else repr(value)
                    edits[module.name].append(Edit.of(node, text))
                    folded.update(id(part) for part in ast.walk(node))
            if called:
                edits[module.name].append(self._import_reader(module, called))
        needed = self._needed(folded, users)
        for module in self.modules.values():
            edits[module.name] += self._without_definitions(module, needed)
            edits[module.name] += self._without_imports(module, folded)
        return {name: apply(module.source, edits[name]) for name, module in self.modules.items()}

    def _import_reader(self, module: _Module, called: set[str]) -> Edit:
        """An import of what reads texts, in the place of the docstring."""
        taken = called & {name for node in module.nodes for name in _bound(node)}
        docstring = module.tree.body[0]
        if taken or ast.get_docstring(module.tree) is None:
            raise ValueError(f"{module.name} shows texts: it needs a docstring, and no {sorted(taken)} of its own")
        return Edit.of(docstring, f"from {self._reader} import {', '.join(sorted(called))}")

    def _needed(self, folded: set[int], users: Iterable[str]) -> set[tuple[str, str]]:
        """The constants that something still reads: by name, through an import, or as an attribute of anything."""
        needed = set()
        outside = {name for user in users for node in ast.walk(ast.parse(user)) for name in _names(node)}
        anywhere = set(outside)
        for module in self.modules.values():
            for node in module.nodes:
                if id(node) in folded:
                    continue
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    needed.add(module.names.get(node.id, (module.name, node.id)))
                elif isinstance(node, ast.Attribute):
                    anywhere.add(node.attr)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    anywhere.add(node.value)  # of getattr
        packages = {name.rpartition(".")[0] for name in self.modules}  # what they define is for everybody
        return needed | {(name, constant) for name, module in self.modules.items() for constant in module.definitions
                         if constant in (outside if (name, constant) in self._texts else anywhere) or name in packages}

    def _without_definitions(self, module: _Module, needed: set[tuple[str, str]]) -> Iterator[Edit]:
        by_statement: dict[int, list[str]] = {}
        for name, (statement, _, _) in module.definitions.items():
            if (module.name, name) in needed:
                continue
            if (module.name, name) in self._texts or self.value(module.name, name) is not None:
                by_statement.setdefault(id(statement), []).append(name)
        for statement in module.tree.body:
            gone = by_statement.get(id(statement), [])
            if gone and isinstance(statement, ast.Assign):
                target = statement.targets[0]
                bound = [ast.unparse(name) for name in (target.elts if isinstance(target, ast.Tuple) else [target])]
                kept = {name: self.value(module.name, name) for name in bound if name not in gone}
                if None not in kept.values():
                    yield Edit.of(statement, "; ".join(f"{name} = {value!r}" for name, value in kept.items()))

    def _without_imports(self, module: _Module, folded: set[int]) -> Iterator[Edit]:
        """Imports without the names that are not read any more."""
        read = {node.id for node in module.nodes if isinstance(node, ast.Name) and id(node) not in folded}
        for node in module.nodes:
            if isinstance(node, ast.ImportFrom) and any(
                    (alias.asname or alias.name) in {**module.modules, **module.names} for alias in node.names):
                kept = [alias for alias in node.names if (alias.asname or alias.name) in read]
                if len(kept) < len(node.names):
                    names = ", ".join(alias.name + (f" as {alias.asname}" if alias.asname else "") for alias in kept)
                    yield Edit.of(node, f"from {node.module} import {names}" if kept else "pass")


def _names(node: ast.AST) -> list[str]:
    """What a node of any program may read of a module."""
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    return [node.attr] if isinstance(node, ast.Attribute) else []


def _bound(node: ast.AST) -> list[str]:
    """What a node gives a name to."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [node.arg] if isinstance(node, ast.arg) else []


def fold(sources: dict[str, str], users: Iterable[str] = (), texts: dict[tuple[str, str], str] | None = None,
         reader: str = "") -> dict[str, str]:
    """Fold the constants of a program.

    Args: sources: of all its modules, by dotted name; users: sources of other programs, whose constants are kept;
        texts: expressions that take the place of constants, by module and name; reader: the module of what they call.
    Returns: the new sources. Raises: ValueError if a module has names of its own for that.
    """
    return _Folder(sources, texts or {}, reader).run(users)
