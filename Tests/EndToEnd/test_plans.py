"""What the hub changes in its database it finds by an index: everybody's writing, a door's too, waits for the one writer."""

import pathlib
import re
import sqlite3

SOURCES = pathlib.Path(__file__).parents[2] / "Sources"
# Databases of their own, and programs that people start.
ELSEWHERE = ("Box/", "Controller/", "soglia/")
TEXT = re.compile(r'"""\n(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.DOTALL)
CHANGES = re.compile(r"(?:DELETE FROM|UPDATE(?: OR [A-Z]+)?)\s+[a-z_0-9]+\s")
ORDER = re.compile(r"(?<!PARTITION BY )\bORDER BY [^()]*?(?=( LIMIT\b|\)|$))")
# A few rows of each site or of the last hour; the others by a step from entry to entry of an index.
SMALL = {
    "gates", "roles", "role_gates", "role_hours", "role_gate_groups", "pairing_codes", "refusals", "notice_webhooks", "people_imports",
    "home_panels", "home_codes", "home_tags", "home_drills", "home_houses", "home_gateways",
}
# Once, at the start of the hub, over what waits.
AT_THE_START = "UPDATE outbox SET due = ?1 WHERE state = 'waiting' AND attempts = 0"


def schema(demo):
    """The tables and indexes of a hub, without a row."""
    with sqlite3.connect(f"file:{demo.data}/soglia.sqlite?mode=ro", uri=True) as there:
        made = [sql for (sql,) in there.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")]
    empty = sqlite3.connect(":memory:")
    order = ["TABLE", "VIEW", "INDEX", "UNIQUE", "TRIGGER"]
    for sql in sorted(made, key=lambda sql: order.index(sql.split()[1])):
        empty.execute(sql)
    return empty


def texts():
    for file in sorted(SOURCES.rglob("*.swift")):
        place = str(file.relative_to(SOURCES))
        if place.startswith(ELSEWHERE):
            continue
        for found in TEXT.finditer(file.read_text()):
            yield place, " ".join((found[1] or found[2] or "").split())


def statements():
    # Migrations and triggers are many statements in one text.
    return ((place, sql) for place, sql in texts() if CHANGES.match(sql) and not sql.rstrip().endswith(";"))


def held(database, sql):
    """How many columns are held to a value by the indexes that SQLite takes."""
    return sum(row[3].count("=?") for row in database.execute("EXPLAIN QUERY PLAN " + sql, values(sql)))


def values(sql):
    numbered = [int(number) for number in re.findall(r"\?(\d+)", sql)]
    return [None] * (max(numbered) if numbered else sql.count("?"))


def scans(database, sql):
    steps = [row[3] for row in database.execute("EXPLAIN QUERY PLAN " + sql, values(sql))]
    return [step for step in steps if step.startswith("SCAN") and step.split()[1] not in SMALL]


def test_nothing_that_is_changed_is_looked_for_in_a_whole_table(demo):
    database = schema(demo)
    found = list(statements())
    assert len(found) > 150, "the statements of the sources"
    assert scans(database, "DELETE FROM openings WHERE outcome = ?"), "a look at all openings is found out"
    whole = {f"{place}: {sql}": steps for place, sql in found if not sql.startswith(AT_THE_START) and (steps := scans(database, sql))}
    assert whole == {}


def test_no_index_is_taken_only_because_it_spares_a_sort(demo):
    """With an index on (a, b) and one on (b, id), `WHERE a = ? AND b = ? ORDER BY id` would look at all rows with that b."""
    database = schema(demo)
    asked = [(place, sql) for place, sql in texts() if sql.startswith(("SELECT ", "WITH ")) and "\\(" not in sql]
    assert len(asked) > 300, "the questions of the sources"
    database.execute("CREATE INDEX planted ON memberships (site, id)")
    database.execute("CREATE INDEX worse ON memberships (person, site)")
    database.execute("DROP INDEX memberships_of_person")
    planted = "SELECT id FROM memberships WHERE person = ? AND site = ? ORDER BY id"
    assert held(database, planted) < held(database, planted.split(" ORDER")[0]), "a planted one is found out"
    database = schema(demo)
    worse = {
        f"{place}: {sql}" for place, sql in asked
        if (plain := ORDER.sub("", sql)) != sql and held(database, sql) < held(database, plain)}
    assert worse == set()


def test_a_row_that_others_refer_to_goes_without_a_look_at_all_of_them(demo):
    """SQLite looks for what refers to a row that goes."""
    database = schema(demo)
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    deleted = {sql.split()[2] for _, sql in statements() if sql.startswith("DELETE")}
    without = []
    for table in tables:
        for reference in database.execute(f"PRAGMA foreign_key_list({table})").fetchall():
            parent, column = reference[2], reference[3]
            if parent in deleted and table not in SMALL and scans(database, f"DELETE FROM {table} WHERE {column} = ?"):
                without.append(f"{table}.{column} of {parent}")
    assert without == []


def test_what_people_sent_at_a_site_is_counted_by_its_index(demo):
    """Each notice to people is preceded by this count, in the one writer."""
    [sql] = [sql for _, sql in texts() if "FROM notices AS n JOIN notice_recipients" in sql and sql.startswith("SELECT count(*)")]
    steps = [row[3] for row in schema(demo).execute("EXPLAIN QUERY PLAN " + sql, values(sql))]
    assert [step.split(" USING ")[0] for step in steps] == ["SEARCH n", "SEARCH r"], steps
    assert "notices_by_people (site=? AND created>?)" in steps[0] and "(notice=?)" in steps[1], steps
