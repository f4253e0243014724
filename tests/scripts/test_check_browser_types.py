import sys

from scripts import check_browser_types, prepare

UNSOUND = {
    "wrong.js": (
        "/** @param {number} a */ export const f = (a) => a; f('1');",
        "not assignable to parameter",
    ),
    "untyped.js": ("export const f = (a) => a;", "implicitly has an 'any' type"),
    "beyond.js": ("/** @type {number[]} */ const a = []; export const b = a[0] + 1;", "possibly 'undefined'"),
    "explicit.js": ("/** @type {{a?: 1}} */ export const b = {a: undefined};", "exactOptionalPropertyTypes"),
    "unused.js": ("const unused = 1; export {};", "is declared but its value is never read"),
}
"""A module, what stands in it, and what the checker says of it."""


def test_the_panel_s_modules_are_sound(capsys):
    status = check_browser_types.main()
    assert (status, capsys.readouterr().out) == (0, "The panel's JavaScript is sound.\n")


def test_what_is_unsound_is_named_with_its_module(*, tmp_path, monkeypatch, capsys):
    settings = f'{{"extends": "{prepare.PANEL}/tsconfig.json", "include": ["{tmp_path}/*.js"]}}'
    (tmp_path / "tsconfig.json").write_text(settings)
    for module, (code, _) in UNSOUND.items():
        (tmp_path / module).write_text(code)
    monkeypatch.setattr(prepare, "PANEL", tmp_path)
    assert check_browser_types.main() != 0
    lines = capsys.readouterr().out.splitlines()
    for module, (_, printed) in UNSOUND.items():
        assert any(f"{module}(1," in line and printed in line for line in lines), (module, lines)


def test_without_typescript_what_installs_it_is_said(*, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(prepare, "VENV", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert check_browser_types.main() == 1
    assert "prepare.py requirements-dev.txt --typescript" in capsys.readouterr().err
