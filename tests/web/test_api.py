import re
from urllib.parse import urlencode

import jsonschema
import pytest

from panel.assets import PREFIX
from panel.menu import PAGES
from views.registry import VIEWS
from views.settings import defaults, definitions
from views.view import link, read, split
from web.forms import FORMS
from web.panels import EXTENSION

BY_NAME = {view.name: view for view in VIEWS.values()}
ROUTES = {view.name: view for view in VIEWS.values()} | {"others": None}
EVERY_ROUTE = pytest.mark.parametrize("view", ROUTES.values(), ids=ROUTES)
"""Those of each view, whose files other tests have had made, and those of none."""


@pytest.fixture(scope="session")
def document(site):
    got = site.get("/api/openapi.json")
    assert got.headers["content-type"] == "application/json"
    return got.json()


def test_every_view_is_listed_with_its_settings_and_forms(site):
    got = site.get("/api/views").json()
    assert [view["path"] for view in got["views"]] == list(VIEWS)
    assert got["latest"] in got["releases"]
    for described in got["views"]:
        view = VIEWS[described["path"]]
        about = (described["name"], described["title"], described["question"])
        assert about == (view.name, view.title, view.question)
        jsonschema.Draft202012Validator.check_schema(described["settings"])
        names = [*definitions(view.settings), *(["vs"] if view.comparable else []), "note"]
        assert list(described["settings"]["properties"]) == names
        default = {name: one["default"] for name, one in described["settings"]["properties"].items()}
        jsonschema.validate(default, described["settings"])
        texts = {name: "" if value is None else str(value) for name, value in default.items()}
        assert (texts.pop("vs", ""), texts.pop("note")) == ("", "")
        floats = {name: text for name, text in texts.items() if isinstance(default[name], float)}
        assert texts == defaults(view.settings) | floats
        assert {form["extension"] for form in described["forms"]} == set(FORMS)
        assert described["link"] == link(view, view.settings())
        assert read(view, split(described["link"])[1])[1] == ()
        for schema in {str(form["settings"]): form["settings"] for form in described["forms"]}.values():
            jsonschema.Draft202012Validator.check_schema(schema)


def test_the_document_is_openapi_3_1_with_unique_names_and_resolving_references(document):
    assert document["openapi"] == "3.1.0"
    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))
    for reference in re.findall(r"'\$ref': '([^']+)'", str(document)):
        where = document
        for part in reference.removeprefix("#/").split("/"):
            where = where[part]
    schemas = {}
    for path, item in document["paths"].items():
        for operation in item.values():
            parameters = operation.get("parameters", [])
            inside = {one["name"] for one in parameters if one["in"] == "path"}
            assert inside == set(re.findall(r"{(\w+)}", path))
            schemas |= {str(one["schema"]): one["schema"] for one in parameters}
            assert all(answer["description"] for answer in operation["responses"].values())
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_form_of_every_view_and_every_other_route_is_described(document):
    forms = {f"/{view.name}.{extension}" for view in VIEWS.values() for extension in FORMS}
    others = {"/deck.pptx", "/api/views", "/api/openapi.json", "/healthz", "/v/{token}"}
    others |= {f"/data/{{release}}{file}" for file in (".zip", "/croissant.json", "/{table}.csv")}
    assert forms | others <= set(document["paths"])
    for page in PAGES:
        assert f"/{page}" not in document["paths"]
    # Between our page and our server, and free to change with either: no program is promised it.
    assert not [path for path in document["paths"] if path.endswith(EXTENSION) or path.startswith(PREFIX)]


def examples(document, view):
    for path, item in document["paths"].items():
        if BY_NAME.get(path[1:].partition(".")[0]) is not view:
            continue
        if "308" in item["get"]["responses"]:
            continue  # leads elsewhere: tests/web/test_short_links.py
        parameters = item["get"].get("parameters", [])
        in_path = [one for one in parameters if one["in"] == "path"]
        values = {one["name"]: one["schema"].get("enum", ["2020"])[-1] for one in in_path}
        yield path.format(**values), item["get"], [one for one in parameters if one["in"] == "query"]


@EVERY_ROUTE
def test_every_route_answers_as_the_document_says(*, site, document, view):
    for path, operation, parameters in examples(document, view):
        default = {one["name"]: one["schema"]["default"] for one in parameters if "default" in one["schema"]}
        got = site.get(f"{path}?{urlencode(default, doseq=True)}" if default else path)
        assert got.status_code == 200, path
        described = operation["responses"]["200"]["content"]
        assert got.headers["content-type"].partition(";")[0] in described
        schema = described.get("application/json", {}).get("schema")
        if schema:
            whole = {**schema, "components": document["components"]}
            jsonschema.Draft202012Validator(whole).validate(got.json())
        assert site.post(path).status_code == 405 or path == "/healthz"


@EVERY_ROUTE
def test_every_parameter_refuses_what_its_schema_refuses(*, site, document, view):
    problem = document["components"]["schemas"]["Problem"]
    seen = set()
    for path, operation, parameters in examples(document, view):
        for parameter in parameters:
            of_route = (path.partition(".")[0], parameter["name"])  # forms of a view read its settings alike
            assert "422" in operation["responses"]
            if parameter["schema"].get("maxLength") or of_route in seen:
                continue
            seen.add(of_route)
            got = site.get(f"{path}?{urlencode({parameter['name']: '~'})}")
            assert got.status_code == 422
            jsonschema.validate(got.json(), problem)
            assert got.json()["errors"][0]["field"] == parameter["name"]
