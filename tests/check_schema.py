#!/usr/bin/env -S python3 -B
"""The schemas of what -f json writes: made of the commands' own tables, and what is written is held against them.

    check_schema.py PTK [--write] [--show]

Each command of docs/schema/commands is run with --schema, which prints the JSON Schema of that answer; those of one
command together are docs/schema/COMMAND.json: every field that one of them has, required what all have. --write makes
the files; without it they must be as they are made. Then the JSON of all these commands, and that of all goldens, must
follow its schema, and a field too many or of another type must not. --columns leaves columns out, required or not.
`convert --to json` has no tables: its schema is inferred from what it writes of the files in testdata/."""
import concurrent.futures
import copy
import glob
import json
import os
import re
import shlex
import subprocess
import sys

FOLDER = "docs/schema"
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict, "null": type(None)}


# ---- schemas ----

def with_required(schema):
    """An answer has all fields of its own schema."""
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
        schema["required"] = sorted(schema["properties"])
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        if isinstance(part, (dict, list)):
            with_required(part)
    return schema


def drop_required(schema):
    for part in schema.values():
        if isinstance(part, dict):
            part.pop("required", None)
            drop_required(part)


def open_rows(schema):
    """--value all: a column for each value that a file has, by its name there."""
    rows = schema["properties"]["rows"]["items"]
    rows["properties"] = {name: part for name, part in rows["properties"].items() if "description" not in part or "of 1" in part["description"]}
    rows["additionalProperties"] = {"type": ["integer", "null"], "description": "with --value all: one for each value of the file"}
    rows["required"] = sorted(rows["properties"])


def types_of(schema):
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def merged(one, other):
    """A schema that both kinds of answer follow."""
    if one == other:
        return one
    out = {**other, **one}
    for part in (one, other):
        if isinstance(part.get("additionalProperties"), dict):
            out["additionalProperties"] = part["additionalProperties"]
    kinds = [kind for kind in TYPES if kind in types_of(one) + types_of(other)]
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    if kinds:
        out["type"] = kinds[0] if len(kinds) == 1 else kinds
    if one.get("description") != other.get("description"):
        texts = [part["description"] for part in (one, other) if part.get("description")]
        out["description"] = "; or ".join(sorted({text for part in texts for text in part.split("; or ")}))
    if "properties" in one and "properties" in other:
        names = list(one["properties"]) + [name for name in other["properties"] if name not in one["properties"]]
        out["properties"] = {name: merged(one["properties"].get(name, other["properties"].get(name)),
                                          other["properties"].get(name, one["properties"].get(name))) for name in names}
        if "required" in one and "required" in other:
            out["required"] = sorted(set(one["required"]) & set(other["required"]))
    if "items" in one and "items" in other:
        out["items"] = merged(one["items"], other["items"])
    return out


def inferred(value):
    """The schema of this value alone."""
    if isinstance(value, dict):
        return {"type": "object", "additionalProperties": False, "required": sorted(value),
                "properties": {name: inferred(part) for name, part in value.items()}}
    if isinstance(value, list):
        items = {}
        for part in value:
            items = merged(items, inferred(part)) if items else inferred(part)
        return {"type": "array", **({"items": items} if items else {})}
    return {"type": next(name for name, kind in TYPES.items() if isinstance(value, kind) and (name == "boolean") == isinstance(value, bool))}


def schema_of_convert(ptk, pool):
    """Of one file of each folder, and of all that it writes a part for."""
    files = [sorted(glob.glob(folder + "/*"))[0] for folder in sorted(glob.glob("testdata/*/"))]
    files += ["testdata/chrome/overlap.json", "testdata/pprof/labels.pb", "testdata/pstats/cycle_small.pstats", "testdata/nvprof/trace.csv",
              "testdata/folded/small.folded"]
    schema = None
    for text in pool.map(lambda path: ask(ptk, ["convert", path], "--to", "json"), files):
        if text:
            one = inferred(json.loads(text))
            schema = merged(schema, one) if schema else one
    schema["properties"]["schema"] = {"const": "ptk.convert/1", "description": "fields are added in a version, and never renamed or removed"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:ptk:convert:1", "title": "ptk convert --to json", **schema}


# ---- what follows a schema: the words that these have ----

def faults_of(value, schema, where="$"):
    if "const" in schema and value != schema["const"]:
        yield f"{where} is {value!r}, not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}, none of {schema['enum']}"
    kinds = types_of(schema)
    if kinds and not any(isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool)) for kind in kinds):
        yield f"{where} is {type(value).__name__}, not {kinds}"
        return
    if isinstance(value, dict) and "properties" in schema:
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where}.{name} is missing"
        for name, part in value.items():
            if name in schema["properties"]:
                yield from faults_of(part, schema["properties"][name], f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}.{name} is in no schema"
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from faults_of(part, schema["additionalProperties"], f"{where}.{name}")
    if isinstance(value, list) and "items" in schema:
        for i, part in enumerate(value):
            yield from faults_of(part, schema["items"], f"{where}[{i}]")


# ---- answers ----

def commands():
    """And whether there must be an answer: not all files of a folder are profiles."""
    with open(os.path.join(FOLDER, "commands"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            words = shlex.split(line)
            if any("*" in word for word in words):
                for path in sorted(glob.glob(words[-1])):
                    yield [*words[:-1], path], False
            else:
                yield words, True


def ask(ptk, words, *more):
    done = subprocess.run([ptk, *words, "-q", *more], capture_output=True, check=False)
    return done.stdout if done.returncode in (0, 1) and done.stdout.startswith(b"{") else None


def documents(text):
    """The JSON objects of a golden: some have several, or other lines beside them."""
    decoder, at = json.JSONDecoder(), 0
    for found in re.finditer(r'^\{"(?:schema":"ptk\.|error":)', text, re.M):
        if found.start() < at:
            continue
        at = found.start()
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:  # cut by the golden's script
            return
        yield value
        at = end


def name_of(document):
    return "error" if "error" in document else document["schema"].split(".", 1)[1].split("/")[0]


def text_of(schema):
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def path_of(name):
    return os.path.join(FOLDER, name + ".json")


def is_kept(path, schema, lacking):
    """Whether the file has what was made: where the build can do less, at least that."""
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return text == text_of(schema) or lacking > 0 and text == text_of(merged(json.loads(text), schema))


def main():
    ptk, wanted, maybe = sys.argv[1], [], []
    for words, is_needed in commands():
        wanted.append(words)
        if not is_needed:
            maybe.append(words)
    made, faults, checked, lacking = {}, [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for words, text in zip(wanted, pool.map(lambda words: ask(ptk, words, "--schema"), wanted)):
            if text is None:
                lacking += words not in maybe
                if words not in maybe:
                    print(f"skipped: schema of {' '.join(words)}: no answer in this build")
                continue
            schema = with_required(json.loads(text))
            if "all" in words:
                open_rows(schema)
            name = schema["$id"].split(":")[2]
            if "--columns" in words:
                drop_required(schema)
            made[name] = merged(made[name], schema) if name in made else schema
        made["convert"] = schema_of_convert(ptk, pool)
        for name, schema in made.items():
            if "--write" in sys.argv:
                with open(path_of(name), "w", encoding="utf-8") as file:
                    file.write(text_of(schema))
            elif not is_kept(path_of(name), schema, lacking):
                faults.append(f"{path_of(name)} is not what the tables say: tests/check_schema.py PTK --write")
        answers = [(" ".join(words), json.loads(text)) for words, text in zip(wanted, pool.map(lambda words: ask(ptk, words, "-f", "json"), wanted)) if text]
    for path in sorted(glob.glob("tests/cli/*/*.out")):
        with open(path, encoding="utf-8", errors="replace") as file:
            answers += [(path, document) for document in documents(file.read())]
    schemas = {os.path.basename(path)[:-5]: json.load(open(path, encoding="utf-8")) for path in glob.glob(path_of("*"))}
    goldens = 0
    for whose, document in answers:
        schema = schemas.get(name_of(document))
        found = list(faults_of(document, schema)) if schema else ["no schema"]
        if "--columns" in whose or os.path.exists(whose[:-4] + ".cmd") and "--columns" in open(whose[:-4] + ".cmd", encoding="utf-8").read():
            found = [fault for fault in found if not fault.endswith("is missing")]
        del found[3:]
        faults += [f"{whose}: {fault}" for fault in found]
        checked += not found
        goldens += whose.startswith("tests/cli/")
    spoilt = copy.deepcopy(answers[0][1])
    spoilt["surplus"], spoilt["warnings"] = 1, {}
    if len(list(faults_of(spoilt, schemas[name_of(spoilt)]))) != 2:
        faults.append("a surplus field and a wrong type are not found")
    for fault in faults:
        print("FAIL", fault)
    print(f"{len(schemas)} schemas; {goldens} documents of goldens, {len(answers) - goldens} of commands")
    print(f"schema: {checked} passed, {len(faults)} failed")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
