"""As much of JSON Schema as the hub's OpenAPI document uses."""

KINDS = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None),
}


def mismatches(value, schema, path="answer"):
    """What in a value is not as its schema says, in words."""
    found = []
    kinds = schema.get("type")
    if kinds is not None:
        kinds = kinds if isinstance(kinds, list) else [kinds]
        fits = any(isinstance(value, KINDS[kind]) and not (isinstance(value, bool) and kind != "boolean") for kind in kinds)
        if not fits:
            return [f"{path} is {value!r}, not {' or '.join(kinds)}"]
    for branches in ("anyOf", "oneOf"):
        if branches in schema and all(mismatches(value, branch, path) for branch in schema[branches]):
            found.append(f"{path} is {value!r}, which fits none of {branches}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path} is {value!r}, not one of {schema['enum']}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{path} lacks {name}" for name in schema.get("required", []) if name not in value]
        if properties:
            found += [f"{path} has {name}, which the schema does not know" for name in value if name not in properties]
        for name, one in properties.items():
            if name in value:
                found += mismatches(value[name], one, f"{path}.{name}")
    if isinstance(value, list) and "items" in schema:
        for index, one in enumerate(value):
            found += mismatches(one, schema["items"], f"{path}[{index}]")
    return found
