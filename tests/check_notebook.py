#!/usr/bin/env -S python3 -B
"""The Python module of the wheel, and the example notebook: its cells run, and show what the notebook contains.

    check_notebook.py PTK [--bless]

No Jupyter is needed: a cell is executed as Jupyter would, and the value of its last line is shown as HTML where its class
has _repr_html_. The page of `ptk report` is not kept in the notebook; its cell must show a frame that contains the page.
"""
import ast
import contextlib
import html
import io
import json
import os
import shutil
import sys
import tempfile

NOTEBOOK = "examples/profile.ipynb"


def lines(text):
    return text.splitlines(keepends=True)


def run(source, names):
    """What a cell shows: what it prints, and the value of its last line."""
    tree, shown, value = ast.parse(source), [], None
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, NOTEBOOK, "exec"), names)
        if last:
            value = eval(compile(last, NOTEBOOK, "eval"), names)
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    return shown, value


def shown_value(value, number):
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = lines(value._repr_html_())
    return {"data": dict(sorted(data.items())), "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def is_page(value):
    shown = value._repr_html_()
    return shown.startswith("<iframe srcdoc=\"") and html.unescape(shown).count("<html") == 1 and "escape_time" in shown


def check_module(ptk):
    """What the notebook does not try."""
    answer = ptk.load("testdata/pstats/fractal.pstats", "hotspots", "-n", "2")
    assert answer["schema"] == "ptk.hotspots/1" and len(answer.rows("rows")) == 2, answer
    assert "<script" not in ptk.Answer({"rows": [{"name": "<script>"}]})._repr_html_()
    assert ptk.run("diff", "-q", "testdata/pstats/fractal.pstats", "testdata/pstats/fractal.pstats")
    for table in ("nothing", "schema"):
        try:
            answer.rows(table)
            raise AssertionError("no error")
        except KeyError:
            pass
    assert os.path.exists(os.path.join(os.path.dirname(ptk.__file__), "py.typed"))


def main():
    program, bless, fail = os.path.abspath(sys.argv[1]), "--bless" in sys.argv, 0
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("packaging/python/ptk", folder + "/ptk", ignore=shutil.ignore_patterns("__pycache__"))
        os.makedirs(folder + "/ptk/bin")
        os.symlink(program, folder + "/ptk/bin/ptk")
        sys.path.insert(0, folder)
        import ptk
        check_module(ptk)
        with open(NOTEBOOK, encoding="utf-8") as file:
            notebook = json.load(file)
        assert notebook["nbformat"] == 4, "another format"
        names, cells = {}, [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(cells, 1):
            shown, value = run("".join(cell["source"]), names)
            if isinstance(value, ptk.Page):
                if not is_page(value):
                    print("FAIL %s: cell %d shows no page" % (NOTEBOOK, number))
                    fail = 1
            elif value is not None:
                shown.append(shown_value(value, number))
            if bless:
                cell["outputs"], cell["execution_count"] = shown, number
            elif cell["outputs"] != shown:
                print("FAIL %s: cell %d shows\n%s\nand not\n%s" % (NOTEBOOK, number, shown, cell["outputs"]))
                fail = 1
    if bless:
        with open(NOTEBOOK, "w", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    if not fail:
        print("notebook: %d passed" % len(cells))
    return fail


sys.exit(main())
