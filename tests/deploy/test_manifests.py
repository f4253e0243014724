"""The files of Kubernetes and of compose: valid by schema, and agreeing with the image, the app and one another."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.nginx import EDITION
from web.reach import HEALTH
from web.serving import END_S
from web.settings import from_environment

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
FILES = sorted(
    path.name for path in (DEPLOY / "kubernetes").glob("*.yaml") if path.name != "kustomization.yaml"
)
OLDEST = "1.32"
"""The oldest Kubernetes that is held to take them: preStop sleep is in it without a gate."""


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text(encoding="utf-8")))


def manifest(name: str) -> dict[str, Any]:
    (document,) = documents(name)
    return document


TEMPLATE = manifest("deployment.yaml")["spec"]["template"]
(CONTAINER,) = TEMPLATE["spec"]["containers"]
PORTS = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")


def environment(*, address: str = "10.1.2.3") -> dict[str, str]:
    """Return what the app is started with in a pod of that address, as Kubernetes fills it in."""
    filled: dict[str, str] = {}
    for one in CONTAINER["env"]:
        if "valueFrom" in one:
            assert one["valueFrom"] == {"fieldRef": {"fieldPath": "status.podIP"}}
            filled[one["name"]] = address
        else:
            filled[one["name"]] = re.sub(r"\$\((\w+)\)", lambda match: filled[match[1]], one["value"])
    return filled


@pytest.mark.parametrize("name", FILES)
def test_each_manifest_is_valid_and_has_no_field_that_there_is_not(name):
    import kubernetes_validate  # takes seconds to import

    for version in (OLDEST, kubernetes_validate.latest_version()):
        for document in documents(name):
            kubernetes_validate.validate(document, version, strict=True)


def test_all_manifests_are_applied_with_the_image_of_the_kustomization():
    listed = manifest("kustomization.yaml")
    assert sorted(listed["resources"]) == FILES
    assert [image["name"] for image in listed["images"]] == [CONTAINER["image"]]


def test_the_app_has_no_rights_and_a_root_that_is_only_read():
    pod = TEMPLATE["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not pod["automountServiceAccountToken"]
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert (
        manifest("namespace.yaml")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    )
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert f"--uid {pod['securityContext']['runAsUser']} " in image


def test_every_probe_asks_for_health_at_the_port_of_the_app():
    for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert CONTAINER[kind]["httpGet"] == {"path": HEALTH, "port": "http"}
    assert environment()["PORT"] == str(PORTS["http"])
    assert manifest("service.yaml")["spec"]["ports"][0]["targetPort"] == "http"
    assert manifest("network.yaml")["spec"]["ingress"][0]["ports"][0]["port"] == PORTS["http"]


@pytest.mark.parametrize("address", ["10.1.2.3", "fd00:10:244::5"])
def test_operators_have_their_lines_and_their_counts_and_nobody_else_the_counts(address):
    settings = from_environment(environment(address=address))
    assert settings.log_requests
    assert settings.metrics == (address, PORTS["metrics"])
    assert TEMPLATE["metadata"]["annotations"]["prometheus.io/port"] == str(PORTS["metrics"])
    who_may = {
        port["port"]: [
            one["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] for one in rule["from"]
        ]
        for rule in manifest("network.yaml")["spec"]["ingress"]
        for port in rule["ports"]
    }
    assert who_may == {PORTS["http"]: ["ingress-nginx"], PORTS["metrics"]: ["monitoring"]}
    assert [port["targetPort"] for port in manifest("service.yaml")["spec"]["ports"]] == ["http"]


def test_every_replica_of_compose_tells_its_operators_too_and_has_no_rights():
    apps = [service for name, service in COMPOSE["services"].items() if re.fullmatch(r"app-\d", name)]
    assert len(apps) == 2
    for app in apps:
        settings = from_environment({key: app["environment"][key] for key in ("METRICS", "LOG")})
        assert settings.log_requests and settings.metrics
        assert "ports" not in app, "the counts would be told to everybody"
        assert app["read_only"] and app["cap_drop"] == ["ALL"] and app["mem_limit"] == "1g"


def test_each_deployment_believes_its_own_proxy_alone_and_nginx_replaces_what_readers_wrote():
    (subnet,) = (pool["subnet"] for pool in COMPOSE["networks"]["default"]["ipam"]["config"])
    named = {"TRUSTED_PROXY": COMPOSE["services"]["app-1"]["environment"]["TRUSTED_PROXY"]}
    assert from_environment(named).trusted_proxy[0] == subnet
    settings = from_environment(environment())
    assert settings.trusted_proxy and not settings.unprotected
    (header,) = re.findall(r"proxy_set_header X-Forwarded-For (\S+);", NGINX)
    assert header == "$remote_addr"


def test_all_speak_of_the_same_pods_and_of_one_host():
    labels = TEMPLATE["metadata"]["labels"]
    for name, path in {
        "deployment.yaml": ("selector", "matchLabels"),
        "service.yaml": ("selector",),
        "disruption.yaml": ("selector", "matchLabels"),
        "network.yaml": ("podSelector", "matchLabels"),
    }.items():
        part = manifest(name)["spec"]
        for key in path:
            part = part[key]
        assert part == labels, name
    target = manifest("autoscaler.yaml")["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", manifest("deployment.yaml")["metadata"]["name"])
    rule = manifest("ingress.yaml")["spec"]["rules"][0]
    assert environment()["PUBLIC_URL"] == f"https://{rule['host']}"
    assert (
        rule["http"]["paths"][0]["backend"]["service"]["name"] == manifest("service.yaml")["metadata"]["name"]
    )


def test_a_session_stays_with_its_replica_and_ends_before_the_replica_is_killed():
    notes = manifest("ingress.yaml")["metadata"]["annotations"]
    assert notes["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    assert manifest("service.yaml")["spec"]["sessionAffinity"] == "ClientIP"
    pod = TEMPLATE["spec"]
    waits = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > waits + END_S


def test_the_ingress_gives_what_nginx_gives():
    notes = {
        name.rpartition("/")[2]: text
        for name, text in manifest("ingress.yaml")["metadata"]["annotations"].items()
    }
    assert f"client_max_body_size {notes['proxy-body-size']};" in NGINX
    assert f"proxy_next_upstream {notes['proxy-next-upstream']};" in NGINX
    assert f"limit_conn open {notes['limit-connections']};" in NGINX
    assert f"rate={notes['limit-rps']}r/s" in NGINX


def test_without_a_replica_the_ingress_asks_the_edition_that_the_same_image_has_written():
    deployment, service, network = documents("edition.yaml")
    pod, labels = deployment["spec"]["template"]["spec"], deployment["spec"]["selector"]["matchLabels"]
    (writer,), (server,) = pod["initContainers"], pod["containers"]
    assert (writer["image"], writer["args"][-1]) == (CONTAINER["image"], environment()["PUBLIC_URL"])
    assert writer["securityContext"] == server["securityContext"] == CONTAINER["securityContext"]
    assert pod["securityContext"].items() >= TEMPLATE["spec"]["securityContext"].items()
    assert labels == service["spec"]["selector"] == network["spec"]["podSelector"]["matchLabels"]
    notes = manifest("ingress.yaml")["metadata"]["annotations"]
    assert notes["nginx.ingress.kubernetes.io/default-backend"] == service["metadata"]["name"]
    (configured,), served = manifest("kustomization.yaml")["configMapGenerator"], pod["volumes"][-1]
    assert (configured["name"], configured["files"]) == (served["configMap"]["name"], ["edition.conf"])
    port = network["spec"]["ingress"][0]["ports"][0]["port"]
    assert port == server["ports"][0]["containerPort"] and f"listen {port};" in EDITION


def test_the_compose_file_is_valid():
    import compose_spec  # takes seconds to import

    compose_spec.PyCompose.from_yaml((DEPLOY / "compose.yaml").read_text(encoding="utf-8")).validate()
