"""The snippets of docs/python.md, one after the other, and the notebook."""

import pathlib
import re
import shutil

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def test_the_snippets_of_the_page_run(tmp_path, monkeypatch):
    page = (ROOT / "docs/python.md").read_text()
    for name, source in re.findall(r"<!-- file: (\S+) from (\S+) -->", page):
        shutil.copy(ROOT / source, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(snippets) >= 6
    names: dict = {}
    for snippet in snippets:
        exec(compile(snippet, "docs/python.md", "exec"), names)


def test_the_notebook_runs_and_shows_what_it_says():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(HERE / "channel.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    shown = [output.data for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert any("text/html" in data and "srcdoc" in data["text/html"] for data in shown)
    assert any("image/svg+xml" in data for data in shown)
