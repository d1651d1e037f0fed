"""The description of the protocol, and a judge of its schemas that is not ours."""

import jsonschema
import pytest

from selo.protocol.description.openrpc import openrpc_document


@pytest.fixture(scope="session")
def protocol(law):
    return openrpc_document(law)


@pytest.fixture(scope="session")
def faults(protocol):
    """Return what an independent judge finds wrong: `faults("craps.outcome", {…})`."""
    schemas = protocol["components"]["schemas"]
    judges = {}

    def of(schema, value):
        named = {"$ref": f"#/components/schemas/{schema}"} if isinstance(schema, str) else schema
        key = str(named)
        if key not in judges:
            judges[key] = jsonschema.Draft202012Validator(
                {**named, "components": {"schemas": schemas}}
            )
        return [error.message for error in judges[key].iter_errors(value)]

    return of
