"""Small valid files made large: lists repeated, nested and widened, with varied ids, names and numbers.

inflated(data, chance, size) takes the bytes of a file and gives bytes of about the size, and a word for
what was done; or None where the file is of no kind that is known here."""
import copy, gzip, io, json, marshal, os, pickle, re, sqlite3, struct, tempfile


class Varying:
    """How the values of each key differ from copy to copy: chosen once for a key, kept for the file."""

    def __init__(self, chance):
        self.chance, self.rules = chance, {}
        self.share = chance.choice((0, 0.3, 0.6, 1)) # how many of the keys vary

    def rule(self, key):
        if key not in self.rules:
            varies = self.chance.random() < self.share
            kind = self.chance.choice("nnnnfffrrdh") if varies else "s"
            self.rules[key] = kind, self.chance.choice((1, 1, 1, 7, 1000, 10 ** 6))
        return self.rules[key]

    def number(self, key, value, at):
        kind, step = self.rule((key, "number"))
        if kind == "s" or isinstance(value, bool):
            return value
        if kind == "n":
            value = value + at * step
        elif kind == "d":
            value = value - at * step
        elif kind == "f":
            value = value + at % (step % 97 + 2)
        elif kind == "r":
            value = type(value)(self.chance.randrange(1 << self.chance.choice((4, 10, 20, 40))))
        elif self.chance.random() < 0.01:
            value = type(value)(self.chance.choice((0, -1, 1 << 31, (1 << 53) - 1, 1 << 62)))
        return value

    def text(self, key, value, at):
        kind, step = self.rule((key, "text"))
        if kind in "ndh":
            return "%s%d" % (value, at)
        if kind == "f":
            return "%s%d" % (value, at % (step % 97 + 2))
        if kind == "r":
            return "%s%d" % (value, self.chance.randrange(1000))
        return value

    def value(self, key, value, at):
        if isinstance(value, (int, float)):
            return self.number(key, value, at)
        if isinstance(value, str):
            return self.text(key, value, at)
        if isinstance(value, bytes):
            return self.text(key, value.decode("latin-1"), at).encode("latin-1")
        if isinstance(value, list):
            return [self.value(key, item, at) for item in value]
        if isinstance(value, tuple):
            return tuple(self.value((key, i), item, at) for i, item in enumerate(value))
        if isinstance(value, dict):
            return {name if isinstance(name, str) else self.value((key, "key"), name, at):
                    self.value(name if isinstance(name, str) else (key, "value"), item, at)
                    for name, item in value.items()}
        return value


def copies(varying, items, size, length):
    """`items` and varied copies of them, until they would take `size` bytes; `length` is of all of them."""
    times = max(1, min(size // max(1, length), 200_000 // max(1, len(items))))
    made = list(items)
    for at in range(1, times):
        made += [varying.value(None, item, at) for item in items]
    return made


# ---- what is read into lists and dictionaries: JSON, pickles, marshalled statistics ----

def containers(value, kind):
    """All filled lists, or dictionaries, of a value, however deep."""
    found, left = [], [value]
    while left:
        value = left.pop()
        if isinstance(value, kind) and value:
            found.append(value)
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, (list, tuple)):
            left += value
        elif hasattr(value, "__dict__"):
            left.append(value.__dict__)
    return found


def choose_lists(lists, chance):
    """One, mostly: the longest as often as any of the others; or several, or all."""
    kind = chance.random()
    if kind < 0.45:
        return [max(lists, key=len)]
    if kind < 0.85:
        return [chance.choice(lists)]
    return lists if kind < 0.9 else [max(lists, key=len), chance.choice(lists)]


def repeat_list(value, chance, size, length_of):
    varying = Varying(chance)
    chosen = choose_lists(containers(value, list), chance)
    for one in chosen:
        part = one
        if chance.random() < 0.4:
            at = chance.randrange(len(one))
            part = one[at:at + chance.choice((1, 2, 4))]
        one[len(one):] = copies(varying, part, size // len(chosen), length_of(part))[len(part):]
        if chance.random() < 0.1:
            chance.shuffle(one)
    return "list"


def widen(value, chance, size, length_of):
    varying = Varying(chance)
    one = chance.choice(containers(value, dict))
    key = chance.choice(list(one))
    item = one[key]
    times = min(size // (length_of(item) + 12), 100_000)
    for at in range(times):
        name = varying.value("key", key, at)
        if name in one:
            name = "%s%d" % (key, at) if isinstance(key, str) else at if isinstance(key, int) else (key, at)
        if isinstance(key, tuple):
            name = tuple(part + at if isinstance(part, int) else part for part in key)
        one[name] = varying.value(key, item, at)
    return "keys"


def tables(value):
    """Dictionaries of columns: lists of one length, which may stand beside them."""
    found = []
    for one in containers(value, dict):
        lengths = {len(item) for item in one.values() if isinstance(item, list)}
        if len(lengths) == 1 and lengths != {0} and (
                isinstance(one.get("length"), int) or sum(isinstance(item, list) for item in one.values()) > 1):
            found.append(one)
    return found


def lengthen_tables(found, chance, size):
    """Each column as its own last values, of which many go on with the number of the row."""
    chosen = found if chance.random() < 0.3 else chance.sample(found, min(len(found), chance.choice((1, 2, 3))))
    for one in chosen:
        columns = {key: item for key, item in one.items() if isinstance(item, list)}
        count = len(next(iter(columns.values())))
        more = min(size // len(chosen) // (6 * len(columns)), 200_000)
        varying = Varying(chance)
        varying.share = chance.choice((0.3, 0.6, 1))
        for key, column in columns.items():
            chained = chance.random() < 0.25 and isinstance(column[-1], (int, type(None)))
            column += [count + at - 2 if chained else varying.value(key, column[at % count], at)
                       for at in range(1, more)]
        if "length" in one:
            one["length"] = count + more - 1
    return "columns"


def inflate_json(value, chance, size):
    length_of = lambda part: len(json.dumps(part))
    kind = chance.random()
    found = tables(value)
    if found and kind < 0.4:
        what = lengthen_tables(found, chance, size)
    elif kind < 0.75 and containers(value, list):
        what = repeat_list(value, chance, size, length_of)
    elif kind < 0.85 and containers(value, dict):
        what = widen(value, chance, size, length_of)
    else:
        return nest(value, chance, size), "depth"
    return json.dumps(value, separators=(",", ":")).encode(), what


def nest(value, chance, size):
    """A dictionary that stands in one of its own lists, again and again."""
    mark = "\u2603nest\u2603"
    places = [(one, key) for one in containers(value, dict) for key, item in one.items()
              if isinstance(item, (list, dict))]
    if not places:
        return json.dumps(value).encode()
    varying = Varying(chance)
    one, key = chance.choice(places)
    template = copy.deepcopy(one)
    template[key] = [mark] if isinstance(one[key], list) else mark
    if isinstance(one[key], list) and chance.random() < 0.5:
        template[key] += one[key]
    depth = min(size // max(1, len(json.dumps(template))), 50_000)
    heads, tails = [], []
    for at in range(depth):
        head, _, tail = json.dumps(varying.value(None, template, at)).partition(json.dumps(mark))
        heads.append(head)
        tails.append(tail)
        if not _:
            break # the mark was varied
    inner = "".join(heads) + json.dumps(one[key]) + "".join(reversed(tails))
    one[key] = [mark] if isinstance(one[key], list) else mark
    return json.dumps(value).replace(json.dumps(mark), inner).encode()


class Made:
    """An object of a class that is not here: what it is made of, and its state."""

    def __init__(self, *arguments):
        self.arguments = arguments


def class_like(module, name):
    return type(name, (Made,), {"__module__": module})


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        if module in ("builtins", "collections", "copyreg", "_codecs"):
            return super().find_class(module, name)
        return class_like(module, name)


class Pickler(pickle._Pickler):
    """Writes names of classes without looking for them."""

    def save_global(self, obj, name=None):
        if isinstance(obj, type) and issubclass(obj, Made):
            self.write(b"c%s\n%s\n" % (obj.__module__.encode(), obj.__name__.encode()))
            self.memoize(obj)
        else:
            super().save_global(obj, name)

    save_type = save_global
    dispatch = dict(pickle._Pickler.dispatch)
    dispatch[type] = save_type


def dumps(value):
    out = io.BytesIO()
    Pickler(out, 2).dump(value)
    return out.getvalue()


def inflate_pickle(data, chance, size):
    value = Unpickler(io.BytesIO(data)).load()
    length_of = lambda part: len(dumps(part))
    whole = [value]
    if chance.random() < 0.75 and len(containers(whole, list)) > 1:
        what = repeat_list(value if containers(value, list) else whole, chance, size, length_of)
    else:
        what = widen(whole, chance, size, length_of)
    return dumps(value), what


def inflate_marshal(value, chance, size):
    what = widen(value, chance, size, lambda part: len(marshal.dumps(part)))
    return marshal.dumps(value), what


# ---- protocol buffers, whatever they mean ----

def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
        if shift > 63:
            raise ValueError


def varint(number):
    digits = []
    number &= (1 << 64) - 1
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes(digits + [number])


def read_fields(data):
    """[field, wire type, value] of a message; IndexError or ValueError where it is none."""
    fields, at = [], 0
    while at < len(data):
        tag, at = read_varint(data, at)
        if not tag >> 3 or tag >> 3 > 20000:
            raise ValueError
        if tag & 7 == 0:
            value, at = read_varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(tag & 7)
            if tag & 7 == 2:
                length, at = read_varint(data, at)
            if length is None or at + length > len(data):
                raise ValueError
            value, at = data[at:at + length], at + length
        fields.append([tag >> 3, tag & 7, value])
    return fields


def grow_message(data, deep=0):
    """Fields whose values are lists of fields again where they can be."""
    fields = read_fields(data)
    for field in fields:
        value = field[2]
        if field[1] == 2 and value and deep < 8 and not (value.isascii() and value.decode().isprintable()):
            try:
                field[2] = grow_message(value, deep + 1)
            except (ValueError, IndexError):
                pass
    return fields


def write_message(fields):
    out = []
    for number, wire, value in fields:
        out.append(varint(number << 3 | wire))
        if wire == 0:
            out.append(varint(value))
        elif wire == 2:
            value = write_message(value) if isinstance(value, list) else value
            out += [varint(len(value)), value]
        else:
            out.append(value)
    return b"".join(out)


def vary_field(varying, field, at, path=()):
    number, wire, value = field
    path += (number,)
    if wire == 0:
        value = varying.number(path, value, at)
    elif isinstance(value, list):
        value = [vary_field(varying, inner, at, path) for inner in value]
    elif wire == 2:
        value = vary_bytes(varying, path, value, at)
    return [number, wire, value]


def vary_bytes(varying, path, value, at):
    if value.isascii() and value.decode().isprintable():
        return varying.text(path, value.decode(), at).encode()
    return value


def messages(fields):
    found, left = [], [fields]
    while left:
        fields = left.pop()
        if fields:
            found.append(fields)
        left += [value for _, _, value in fields if isinstance(value, list)]
    return found


def inflate_message(fields, chance, size):
    all_of = messages(fields)
    one = fields if chance.random() < 0.5 else chance.choice(all_of)
    number = chance.choice(one)[0]
    some = [field for field in one if field[0] == number]
    if chance.random() < 0.5:
        some = [chance.choice(some)]
    if chance.random() < 0.1:
        some = list(one)
    varying = Varying(chance)
    if chance.random() < 0.1:
        return nest_message(fields, one, chance, size), "depth"
    times = min(size // max(1, len(write_message(some))), 200_000 // len(some))
    for at in range(1, times):
        one += [vary_field(varying, field, at) for field in some]
    return write_message(fields), "fields"


def nest_message(fields, one, chance, size):
    number = chance.choice(one)[0]
    inner = write_message(one)
    for _ in range(min(5_000, size // (len(inner) + 4))):
        inner = inner[:len(inner) // 2 if chance.random() < 0.01 else None]
        inner += varint(number << 3 | 2) + varint(len(inner)) + inner if len(inner) < 200 else b""
        inner = varint(number << 3 | 2) + varint(len(inner)) + inner
    one.append([number, 2, inner])
    return write_message(fields)


# ---- text ----

WORDS = re.compile(r"\d+\.\d+|\d+|[A-Za-z_]{3,}")


def vary_line(varying, line, at):
    count = 0

    def changed(match):
        nonlocal count
        count += 1
        word = match[0]
        if word[0].isdigit():
            if word.isdigit():
                return str(varying.number(count, int(word), at))
            return "%.*f" % (len(word.partition(".")[2]), varying.number(count, float(word), at))
        return varying.text(count, word, at)

    return WORDS.sub(changed, line)


def inflate_text(data, chance, size):
    lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
    begin = chance.randrange(len(lines))
    if chance.random() < 0.4:
        begin = min(begin, 3)
    end = begin + chance.choice((1, 1, 2, 5, 20, len(lines)))
    part = lines[begin:end]
    kind = chance.random()
    if kind < 0.1:
        made, what = wide_lines(part, chance, size), "width"
    elif kind < 0.18:
        made, what = indented_lines(part, chance, size), "depth"
    else:
        varying, made, length, at = Varying(chance), list(part), 0, 0
        while length < size and len(made) < 200_000:
            at += 1
            more = [vary_line(varying, line, at) for line in part]
            made += more
            length += sum(map(len, more)) + 1
        what = "lines"
    return "".join(lines[:begin] + made + lines[end:]).encode("utf-8", "surrogateescape"), what


def wide_lines(part, chance, size):
    """One of the lines with a field of it again and again, under others that stay."""
    line = max(part, key=len)
    marks = [mark for mark in ";,\t |" if mark in line.strip()]
    if not marks:
        return part
    mark = chance.choice(marks)
    fields = line.rstrip("\n").split(mark)
    at = chance.randrange(len(fields))
    varying = Varying(chance)
    times = chance.choice((1, 10, 100))
    count = size // times // (len(fields[at]) + 1)
    wide = fields[:at] + [vary_line(varying, fields[at], i) for i in range(count)] + fields[at:]
    return part + [mark.join(wide) + "\n"] * times


def indented_lines(part, chance, size):
    """Each line farther to the right than the one before it."""
    varying, step = Varying(chance), chance.choice((1, 2, 4))
    made, length, at = list(part), 0, 0
    while length < size:
        at += 1
        made.append(" " * (step * at) + vary_line(varying, chance.choice(part), at))
        length += len(made[-1])
    return made


# ---- databases, perf.data, recordings of chunks ----

def inflate_database(data, chance, size):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "db")
        with open(path, "wb") as file:
            file.write(data)
        with sqlite3.connect(path) as base:
            base.execute("PRAGMA journal_mode=OFF")
            fill_tables(base, chance, size)
        base.close()
        with open(path, "rb") as file:
            return file.read(), "rows"


def fill_tables(base, chance, size):
    tables = [name for name, in base.execute("SELECT name FROM sqlite_master WHERE type='table'")
              if not name.startswith("sqlite_")]
    filled = [name for name in tables if base.execute(f'SELECT 1 FROM "{name}"').fetchone()]
    chosen = filled if chance.random() < 0.3 else chance.sample(filled, min(2, len(filled)))
    varying = Varying(chance)
    varying.share = max(varying.share, 0.3)
    for name in chosen:
        rows = base.execute(f'SELECT * FROM "{name}"').fetchall()[:50]
        keys = [row[5] for row in base.execute(f'PRAGMA table_info("{name}")')]
        marks = ",".join("?" * len(rows[0]))
        row_size = max(8, len(repr(rows)) // 2)
        for at in range(1, min(size // len(chosen) // row_size, 50_000) + 1):
            more = [tuple(None if value is None or not isinstance(value, (int, float, str)) else
                          value + at * len(rows) if keys[i] and isinstance(value, int) else
                          varying.value((name, i), value, at) for i, value in enumerate(row))
                    for row in rows]
            more = [tuple(v if not isinstance(v, int) or -1 << 63 <= v < 1 << 63 else 0 for v in row)
                    for row in more]
            base.executemany(f'INSERT OR IGNORE INTO "{name}" VALUES ({marks})', more)


def inflate_perf_data(data, chance, size):
    """More of its records, behind all else; what features say of the file is moved there, too."""
    begin, length = struct.unpack_from("<QQ", data, 40)
    features = sum(bin(word).count("1") for word in struct.unpack_from("<4Q", data, 72))
    table = data[begin + length:begin + length + 16 * features]
    records, at = [], begin
    while at + 8 <= min(begin + length, len(data)):
        record = struct.unpack_from("<H", data, at + 6)[0]
        if record < 8:
            break
        records.append(data[at:at + record])
        at += record
    some = [record for record in records if len(record) < 4000]
    more, have = list(records), 0
    while have < size:
        record = bytearray(chance.choice(some))
        if chance.random() < 0.7 and len(record) >= 24:
            word = 8 * chance.randrange(1, len(record) // 8)
            value, = struct.unpack_from("<Q", record, word)
            value = chance.choice((value + chance.randrange(1000), value + (have << 8), value ^ 1 << 33))
            struct.pack_into("<Q", record, word, value % (1 << 64))
        more.append(bytes(record))
        have += len(record)
    body = b"".join(more)
    return data[:40] + struct.pack("<QQ", len(data), len(body)) + data[56:] + body + table, "records"


def inflate_binary(data, chance, size):
    """Of formats that are pieces one after the other: all of them, or some words, again and again."""
    if chance.random() < 0.5:
        return data * max(2, size // len(data)), "chunks"
    unit = chance.choice((8, 16, 24, 32, 64))
    at = chance.randrange(0, len(data), 4)
    part = data[at:at + unit]
    more = bytearray(part * (size // unit))
    for i in range(0, len(more) - 4, unit):
        more[i:i + 2] = struct.pack("<H", i // unit % 65536)
    return data[:at] + bytes(more) + data[at:], "words"


# ---- which it is ----

def parsed_as(read, data):
    try:
        return read(data)
    except (ValueError, IndexError, EOFError, TypeError, KeyError, RecursionError, OverflowError,
            pickle.UnpicklingError, AttributeError):
        return None


def inflated(data, chance, size):
    packed = data[:2] == b"\x1f\x8b"
    data = gzip.decompress(data) if packed else data
    made = inflate_plain(data, chance, size)
    if made and packed and chance.random() < 0.5:
        return gzip.compress(made[0], 1, mtime=0), made[1]
    return made


def inflate_plain(data, chance, size):
    if data.startswith(b"SQLite format 3\0"):
        try:
            return inflate_database(data, chance, size)
        except sqlite3.Error:
            return None
    if data.startswith(b"PERFILE2"):
        try:
            return inflate_perf_data(data, chance, size)
        except (struct.error, IndexError):  # of a machine of the other byte order, or damaged
            return None
    if data.startswith(b"FLR\0"):
        return inflate_binary(data, chance, size)
    value = parsed_as(json.loads, data)
    if isinstance(value, (dict, list)) and value:
        return inflate_json(value, chance, size)
    value = parsed_as(marshal.loads, data)
    if isinstance(value, dict) and value:
        return inflate_marshal(value, chance, size)
    if data[:1] == b"\x80" and (made := parsed_as(lambda text: inflate_pickle(text, chance, size), data)):
        return made
    text = parsed_as(lambda text: text.decode(), data)
    if text and "\0" not in text:
        return inflate_text(data, chance, size)
    fields = parsed_as(grow_message, data)
    if fields:
        return inflate_message(fields, chance, size)
    return inflate_binary(data, chance, size) if data else None
