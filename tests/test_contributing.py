"""The view that CONTRIBUTING.md adds in 20 minutes works in every form, and its tests pass, as they stand there."""

import re
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from views.result import as_json
from views.view import answer
from web.forms import FORMS, Order

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def hello(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("views.hello")
    monkeypatch.setitem(sys.modules, "views.hello", module)
    exec(compile(BLOCKS[0], "CONTRIBUTING.md", "exec"), vars(module))
    return module


def test_there_are_the_view_its_page_and_its_test():
    first_lines = ["Who makes the accelerators in the table?", "Who makes the accelerators in the table?"]
    assert [block.splitlines()[0].strip('"') for block in BLOCKS] == [
        *first_lines,
        "Who makes the accelerators.",
    ]
    assert (ROOT / "pages" / "training_compute.py").read_text(encoding="utf-8").count("\n") <= 6


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_view_has_every_form(hello, form):
    result = answer(hello.VIEW, hello.HelloSettings())
    order = Order(
        result=result, options=form.options(), origin="https://example.org", today=date(2026, 11, 22)
    )
    assert len(form.write(order)) > 100
    assert as_json(result)["headline"] == result.headline


def test_its_tests_pass(hello):
    tests: dict[str, object] = {}
    exec(compile(BLOCKS[2], "CONTRIBUTING.md", "exec"), tests)
    run = [test for name, test in tests.items() if name.startswith("test_") and callable(test)]
    assert len(run) == 2
    for test in run:
        test()
