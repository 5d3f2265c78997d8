"""Files of people, as a manager would bring them."""

NAMES = ["Giulia", "Marco", "Sofía", "Óscar", "Chiara", "Łukasz", "Nadia", "Tomás", "Zoë", "Björn"]


def row(number, role="Employee", permission="member", first="2026-01-15", last="", **more):
    return {
        "Name": f"{NAMES[number % len(NAMES)]} Number-{number}", "Email": f"person{number}@import.example.com", "Role": role,
        "Permission": permission, "First day": first, "Last day": last} | more


def csv(rows, delimiter=",", newline="\r\n"):
    """Text, quoted where it is needed."""
    def quoted(text):
        return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',;\t"\r\n') else text
    lines = [list(rows[0])] + [list(row.values()) for row in rows]
    return "".join(delimiter.join(quoted(str(cell)) for cell in line) + newline for line in lines)
