"""Google's CEL engine, the judge of what conditions mean."""

from cel_expr_python import cel

from selo.rules.language.vocabulary import BOOL, INT, INTS, TEXT, TEXTS

KINDS = {
    INT: cel.Type.INT,
    BOOL: cel.Type.BOOL,
    TEXT: cel.Type.STRING,
    INTS: cel.Type.List(cel.Type.INT),
    TEXTS: cel.Type.List(cel.Type.STRING),
}


def engine_of(vocabulary):
    """Return the engine for exactly this vocabulary."""
    functions = vocabulary.functions.values()
    return cel.NewEnv(
        variables={name: KINDS[kind] for name, kind in vocabulary.variables.items()},
        functions=[
            cel.FunctionDecl(
                function.name,
                [
                    cel.Overload(
                        f"{function.name}_selo",
                        return_type=KINDS[function.gives],
                        parameters=[KINDS[kind] for kind in function.takes],
                    )
                ],
            )
            for function in functions
        ],
        function_impls={f"{one.name}_selo": _with_plain_lists(one) for one in functions},
    )


def type_by_engine(text, engine):
    """Return the type of a condition, or None where the engine refuses it."""
    try:
        return str(engine.compile(text).return_type().name()).lower()
    except RuntimeError:
        return None


def _with_plain_lists(function):
    """Return `function` for the engine, which passes its own list types."""

    def run(*arguments):
        kinds = zip(function.takes, arguments, strict=True)
        return function.run(*(list(value) if kind in {INTS, TEXTS} else value
                              for kind, value in kinds))  # fmt: skip

    return run
