"""The documentation of the API, derived from its endpoints and types: an OpenAPI document and a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Protocol

import msgspec

from nccp import __version__
from nccp.web.responses import ErrorResponse

Json = dict[str, Any]

_ERRORS = {
    400: "The body is not valid JSON.",
    401: "The access token is missing or wrong.",
    403: "The request comes from another site's page.",
    404: "The server has no such model.",
    408: "The body did not arrive in time.",
    413: "The request is larger than the limits allow.",
    415: "The content type is not application/json.",
    421: "The server does not answer to this host name.",
    422: "The request is valid JSON but cannot be answered.",
    503: "The server is busy, shutting down, or the request took too long. Retry later.",
}
_EXAMPLE = (
    """curl -H 'Content-Type: application/json' -d '{"text": "The cat sat."}' localhost:8000/api/parse"""
)


class Endpoint(Protocol):
    """What is documented of an address."""

    @property
    def path(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def request(self) -> type[msgspec.Struct] | None: ...
    @property
    def responses(self) -> tuple[type, ...]: ...
    @property
    def streams(self) -> bool: ...


def openapi(endpoints: Sequence[Endpoint]) -> Json:
    """The OpenAPI document of these addresses."""
    types: list[Any] = [
        kind for one in endpoints for kind in (*one.responses, one.request) if kind is not None
    ]
    schemas, components = msgspec.json.schema_components(
        [*types, ErrorResponse], ref_template="#/components/schemas/{name}"
    )
    schema_of = dict(zip([*types, ErrorResponse], schemas))
    error = {"content": {"application/json": {"schema": schema_of[ErrorResponse]}}}
    paths: Json = {}
    for one in endpoints:
        kind = "application/x-ndjson" if one.streams else "application/json"
        response = [schema_of[kind] for kind in one.responses]
        content = {
            "text/plain" if one.responses == (str,) else kind: {
                "schema": response[0] if len(response) == 1 else {"anyOf": response}
            }
        }
        made: Json = {
            "summary": one.summary,
            "responses": {"200": {"description": one.summary, "content": content}},
        }
        if one.request is not None:
            request = {"application/json": {"schema": schema_of[one.request]}}
            made["requestBody"] = {"required": True, "content": request}
            made["responses"].update(
                {str(code): {"description": why, **error} for code, why in _ERRORS.items()}
            )
        paths[one.path] = {one.method.lower(): made}
    return {
        "openapi": "3.1.0",
        "info": {"title": "nccp", "version": __version__, "description": "A constituency parser."},
        "paths": paths,
        "components": {"schemas": components},
    }


def page(document: Mapping[str, Any]) -> str:
    """The same for people, as one HTML page without scripts."""
    schemas: Mapping[str, Json] = document["components"]["schemas"]
    parts = [
        "<h1>nccp: the API</h1>",
        f"<p>Version {escape(document['info']['version'])}. Requests are JSON objects; every error is "
        '<code>{"error": "one sentence"}</code>. The same as <a href="api/openapi.json">OpenAPI</a>; '
        'figures for Prometheus are at <a href="metrics">/metrics</a>; <a href=".">the page</a>.</p>',
        f"<pre>{escape(_EXAMPLE)}</pre>",
    ]
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            parts.append(
                f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(one['summary'])}.</p>"
            )
            if "requestBody" in one:
                parts.append(
                    f"<p>Request: {_kind(one['requestBody']['content']['application/json']['schema'])}</p>"
                )
            ((content, answer),) = one["responses"]["200"]["content"].items()
            parts.append(f"<p>Response ({escape(content)}): {_kind(answer['schema'])}</p>")
    rows = (f"<tr><td>{code}</td><td>{escape(why)}</td></tr>" for code, why in _ERRORS.items())
    parts.append(f"<h2>Errors</h2><table>{''.join(rows)}</table><h1>Types</h1>")
    parts += (_type(name, schemas[name]) for name in sorted(schemas))
    return _PAGE.format(body="\n".join(parts))


def _type(name: str, schema: Json) -> str:
    rows = "".join(_field(key, one, schema.get("required", ())) for key, one in schema["properties"].items())
    return (
        f'<h2 id="{escape(name)}">{escape(name)}</h2><p>{escape(schema.get("description", ""))}</p>'
        f"<table><tr><th>key</th><th>type</th><th>meaning</th></tr>{rows}</table>"
    )


def _field(key: str, schema: Json, required: Iterable[str]) -> str:
    optional = "" if key in required else " <small>optional</small>"
    meaning = escape(schema.get("description", ""))
    return f"<tr><td><code>{escape(key)}</code>{optional}</td><td>{_kind(schema)}</td><td>{meaning}</td></tr>"


def _kind(schema: Json) -> str:
    """A type in words; names of types are links."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[1])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"] if one != {"type": "null"})
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(map(_kind, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and "additionalProperties" in schema:
        return f"object of {_kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "any value")))


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>nccp: the API</title>
<link rel="icon" href="page/icon.svg" type="image/svg+xml" />
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; }} h2 {{ font-size: 1.1rem; margin-top: 2rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
pre {{ padding: 0.7rem; border: 1px solid #8888; border-radius: 6px; }}
table {{ border-collapse: collapse; width: 100%; }}
td, th {{ text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; }}
tr {{ border-top: 1px solid #8884; }}
td:last-child {{ overflow-wrap: anywhere; }} small {{ opacity: 0.75; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
