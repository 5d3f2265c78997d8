#!/usr/bin/env python3
"""Writes pass.json beside itself: the test vectors of the pass protocol.

This is a second implementation of the layout, written from the protocol's text (docs/pass.md) and not from the Swift sources: what both
agree on is the format. It uses the standard library only and no randomness, so that the file is the same on every run.
The Swift tests, the browser's island and the firmware read the file. Bytes are lower-case hexadecimal, times are
seconds, and every number fits a double.
"""

import hashlib
import hmac
import json
import pathlib
import struct
import uuid

DAY = 86400
CARRIERS = {"ble": 1, "bus": 2, "qr": 3, "serial": 4}
FLAGS = {"hub": 1, "narrowable": 2, "onlineOnly": 4, "needsUnlockedPhone": 8}
INTENTS = {"apri": 1, "chiudi": 2, "enter": 3, "leave": 4}
OUTCOMES = {"opened": 1, "refused": 2}
REASONS = [
    "none", "notValid", "clockUntrusted", "notYet", "expired", "outsideInterval", "epochOld", "revoked", "caveatUnmet",
    "needsHub", "journalFull", "nonceUsed", "relayFailed", "alreadyUsed", "otherIntent", "wrongGate", "hubOnly",
]


# Fields

def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def u64(value):
    return struct.pack(">Q", value)


def filler(label, count):
    """Bytes that look random, the same on every run."""
    out, block = b"", 0
    while len(out) < count:
        out += hashlib.sha256(b"soglia vectors/" + label.encode() + u32(block)).digest()
        block += 1
    return out[:count]


def H(key, domain, data):
    return hmac.new(key, u8(domain) + data, hashlib.sha256).digest()


# The protocol

def header(flags=("narrowable",), epoch=7, pass_id=None, gate=None, issued=1_750_000_000, start=None, end=None,
           intervals=(), version=1, raw_flags=None):
    fields = {
        "flags": sum(FLAGS[f] for f in flags) if raw_flags is None else raw_flags,
        "epoch": epoch,
        "passID": (pass_id or filler("pass A", 16)).hex(),
        "gateID": (gate or GATE).hex(),
        "issued": issued,
        "notBefore": issued if start is None else start,
        "notAfter": issued + DAY if end is None else end,
        "intervals": [list(i) for i in intervals],
    }
    data = u8(version) + u8(fields["flags"]) + u32(epoch) + bytes.fromhex(fields["passID"])
    data += bytes.fromhex(fields["gateID"]) + u64(issued) + u64(fields["notBefore"]) + u64(fields["notAfter"])
    data += u8(len(intervals)) + b"".join(u64(a) + u64(b) for a, b in intervals)
    fields["bytes"] = data.hex()
    return fields


def caveat(kind, value=None):
    if kind == "from":
        code, data = 1, u64(value)
    elif kind == "until":
        code, data = 2, u64(value)
    elif kind == "intents":
        code, data = 3, bytes(INTENTS[name] for name in value)
    elif kind == "label":
        code, data = 4, value
        value = value.hex()
    else:
        code, data, value = 5, b"", None
    encoded = u8(code) + u16(len(data)) + data
    return {"kind": kind, "value": value, "bytes": encoded.hex()}


def raw(data):
    return {"bytes": data.hex()}


def caveat_bytes(caveats):
    return u8(len(caveats)) + b"".join(bytes.fromhex(c["bytes"]) for c in caveats)


def intent(kind, reason=None):
    data = u8(INTENTS[kind]) + (u16(reason) if reason is not None else b"")
    return {"kind": kind, "reason": reason, "bytes": data.hex()}


def keys_of(gate_key, head, caveats):
    """The pass's key and the key after each caveat."""
    keys = [H(gate_key, 1, bytes.fromhex(head["bytes"]))]
    for c in caveats:
        keys.append(H(keys[-1], 2, bytes.fromhex(c["bytes"])))
    return keys


def open_input(carrier, gate, gate_nonce, opener_nonce, what):
    data = bytes.fromhex(what["bytes"])
    return u8(CARRIERS[carrier]) + gate + gate_nonce + opener_nonce + u16(len(data)) + data


def message(key, head, caveats, carrier, gate_nonce, opener_nonce, what, gate=None):
    proof = H(key, 3, open_input(carrier, gate or bytes.fromhex(head["gateID"]), gate_nonce, opener_nonce, what))
    data = bytes.fromhex(what["bytes"])
    return bytes.fromhex(head["bytes"]) + caveat_bytes(caveats) + opener_nonce + u16(len(data)) + data + proof


def answer(outcome="opened", reason="none", time=1_750_000_100, clock=1, journal=None, sequence=41, event=None):
    fields = {
        "outcome": outcome, "reason": REASONS.index(reason), "gateTime": time, "clock": clock,
        "journalID": (journal or filler("journal", 16)).hex(), "sequence": sequence,
        "eventID": (event or filler("event", 16)).hex(),
    }
    data = u8(OUTCOMES[outcome]) + u16(fields["reason"]) + u64(time) + u8(clock)
    data += bytes.fromhex(fields["journalID"]) + u64(sequence) + bytes.fromhex(fields["eventID"])
    return fields, data


def full_case(name, gate_key, head, caveats, carrier, what, gate_nonce=None, opener_nonce=None, replies=None):
    gate_nonce = gate_nonce or filler("gate nonce", 16)
    opener_nonce = opener_nonce or filler("opener nonce", 16)
    keys = keys_of(gate_key, head, caveats)
    sent = message(keys[-1], head, caveats, carrier, gate_nonce, opener_nonce, what)
    proof = sent[-32:]
    receipts = []
    for fields, data in replies or [answer()]:
        record = bytes.fromhex(head["passID"]) + u8(CARRIERS[carrier])
        record += u16(len(what["bytes"]) // 2) + bytes.fromhex(what["bytes"]) + caveat_bytes(caveats) + proof + data
        receipts.append({
            **fields,
            "receipt": (data + H(keys[-1], 4, proof + data)).hex(),
            "record": (record + H(gate_key, 5, bytes.fromhex(head["gateID"]) + record)).hex(),
        })
    return {
        "name": name, "gateKey": gate_key.hex(), "header": head, "caveats": caveats,
        "keys": [k.hex() for k in keys],
        "pass": (bytes.fromhex(head["bytes"]) + caveat_bytes(caveats) + keys[-1]).hex(),
        "carrier": carrier, "gateNonce": gate_nonce.hex(), "openerNonce": opener_nonce.hex(), "intent": what,
        "openInput": (u8(3) + open_input(carrier, bytes.fromhex(head["gateID"]), gate_nonce, opener_nonce, what)).hex(),
        "open": proof.hex(), "message": sent.hex(), "receipts": receipts,
    }


GATE_KEY = bytes(range(32))
OTHER_KEY = filler("other gate key", 32)
GATE = filler("gate A", 16)
OTHER_GATE = filler("gate B", 16)
GATE_NONCE = filler("gate nonce", 16)
OPENER_NONCE = filler("opener nonce", 16)
T = 1_750_000_000
ENTER = intent("enter", 3)
EIGHT = [(T + i * 3600, T + i * 3600 + 1800) for i in range(8)]
FOUR = [caveat("from", T + 60), caveat("until", T + 7200), caveat("intents", ["enter", "apri"]),
        caveat("label", "Aña".encode())]


def positives():
    cases = [
        full_case("no interval, no caveat", GATE_KEY, header(), [], "ble", ENTER),
        full_case("the same pass at another gate", OTHER_KEY, header(gate=OTHER_GATE), [], "ble", ENTER),
        full_case("the same header under another gate's key", OTHER_KEY, header(), [], "ble", ENTER),
        full_case("one interval", GATE_KEY, header(intervals=EIGHT[:1]), [], "ble", ENTER),
        full_case("eight intervals", GATE_KEY, header(intervals=EIGHT), [], "ble", ENTER),
        full_case("two intervals that touch", GATE_KEY, header(intervals=[(T, T + 60), (T + 60, T + 90)]), [], "ble",
                  ENTER),
        full_case("one caveat", GATE_KEY, header(), [caveat("label", b"guest")], "ble", ENTER),
        full_case("four caveats", GATE_KEY, header(), FOUR, "ble", ENTER),
        full_case("four caveats in the other order", GATE_KEY, header(), FOUR[::-1], "ble", ENTER),
        full_case("nothing may follow", GATE_KEY, header(), FOUR[:3] + [caveat("last")], "ble", ENTER),
        full_case("512 bytes", GATE_KEY, header(intervals=EIGHT),
                  [caveat("label", filler(f"label {i}", 64 if i else 63)) for i in range(4)], "ble", ENTER),
        full_case("every flag but hub", GATE_KEY, header(flags=["narrowable", "onlineOnly", "needsUnlockedPhone"]), [],
                  "ble", ENTER),
        full_case("a hub opening", GATE_KEY, header(flags=["hub"], pass_id=filler("event", 16), issued=12, end=15), [],
                  "bus", intent("apri"), gate_nonce=filler("session", 8) + u64(1),
                  replies=[answer(clock=0, time=12)]),
    ]
    cases += [full_case(f"carrier {name}", GATE_KEY, header(), [], name, ENTER) for name in CARRIERS]
    cases += [full_case(f"intent {what['kind']}", GATE_KEY, header(), [], "serial", what)
              for what in (intent("apri"), intent("chiudi"), intent("enter", 0), intent("leave", 65535))]
    replies = [answer("opened", "none")]
    replies += [answer("refused", reason, sequence=100 + i) for i, reason in enumerate(REASONS)
                if reason not in ("none", "notValid")]
    cases.append(full_case("each outcome and reason", GATE_KEY, header(), [], "ble", ENTER, replies=replies))
    return cases


def rights(version, epoch, denied, pulse, key=GATE_KEY, local=b""):
    body = u32(epoch) + u16(len(denied)) + b"".join(i + u64(end) for i, end in denied)
    body += u16(pulse | (0x8000 if local else 0)) + local
    return u64(version) + body + H(key, 6, u64(version) + hashlib.sha256(body).digest())


def time_answer(nonce, utc, key=GATE_KEY):
    return nonce + u64(utc) + H(key, 7, nonce + u64(utc))


def acknowledgement(journal, sequence, ledger_sequence, head, key=GATE_KEY):
    data = journal + u64(sequence) + u64(ledger_sequence) + head
    return data + H(key, 8, data)


def hello(fields, key=GATE_KEY):
    data = u8(1) + bytes.fromhex(fields["session"]) + u64(fields["uptime"]) + u32(fields["bootCount"])
    data += bytes.fromhex(fields["journalID"]) + u64(fields["lastSequence"]) + u64(fields["rightsVersion"])
    data += u8(fields["clock"]) + bytes.fromhex(fields["timeNonce"])
    return data + H(key, 12, data)


def hkdf(material, salt, info, length):
    prk = hmac.new(salt or bytes(32), material, hashlib.sha256).digest()
    out, block, counter = b"", b"", 1
    while len(out) < length:
        block = hmac.new(prk, block + info + u8(counter), hashlib.sha256).digest()
        out, counter = out + block, counter + 1
    return prk, out[:length]


BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def code_text(code):
    number = int.from_bytes(code, "big") << 2
    return "".join(BASE32[number >> (5 * i) & 31] for i in range(25, -1, -1))


def bus_vectors():
    denied = sorted((filler(f"denied {i}", 16), T + i) for i in range(3))
    session = filler("session", 8)
    fields = {
        "session": session.hex(), "uptime": 90_061_001, "bootCount": 17, "journalID": filler("journal", 16).hex(),
        "lastSequence": 41, "rightsVersion": 9, "clock": 1, "timeNonce": filler("time nonce", 16).hex(),
    }
    event = filler("event", 16)
    greeting = hello(fields)
    nonce = session + u64(1)
    sent = bytes.fromhex(full_case("", GATE_KEY, header(), [], "bus", ENTER, gate_nonce=nonce)["message"])
    record = bytes.fromhex(full_case("", GATE_KEY, header(), FOUR, "ble", ENTER)["receipts"][0]["record"])
    absent = event + H(GATE_KEY, 13, event)
    some_rights = rights(9, 7, denied, 700)
    some_time = time_answer(filler("time nonce", 16), T)
    head = filler("ledger head", 32)
    some_ack = acknowledgement(filler("journal", 16), 41, 1234, head)
    asked = filler("journal", 16) + u64(23) + u64(1100) + filler("backup head", 32)
    some_recall = asked + H(GATE_KEY, 16, filler("time nonce", 16) + asked)
    answered = u64(1234) + head + u64(18)
    some_witness = answered + H(GATE_KEY, 17, some_recall[-32:] + answered)
    return {
        "rights": [
            {"version": 1, "epoch": 1, "denied": [], "pulse": 500, "bytes": rights(1, 1, [], 500).hex()},
            {"version": 9, "epoch": 7, "denied": [[i.hex(), end] for i, end in denied], "pulse": 700,
             "bytes": some_rights.hex()},
        ],
        "time": [{"nonce": filler("time nonce", 16).hex(), "utc": T, "bytes": some_time.hex()}],
        "acknowledgement": [{"journalID": filler("journal", 16).hex(), "sequence": 41, "ledgerSequence": 1234,
                             "ledgerHead": head.hex(), "bytes": some_ack.hex()}],
        "hello": [{**fields, "bytes": greeting.hex()}],
        "absent": [{"eventID": event.hex(), "bytes": absent.hex()}],
        "recall": [{"journalID": filler("journal", 16).hex(), "after": 23, "ledgerSequence": 1100,
                    "ledgerHead": filler("backup head", 32).hex(), "nonce": filler("time nonce", 16).hex(),
                    "bytes": some_recall.hex()}],
        "witness": [{"recall": some_recall.hex(), "ledgerSequence": 1234, "ledgerHead": head.hex(), "records": 18,
                     "bytes": some_witness.hex()}],
        "nonces": [{"bootCount": b, "n": n, "nonce": H(GATE_KEY, 11, u32(b) + u64(n))[:16].hex()}
                   for b, n in ((0, 0), (17, 1), (4294967295, 2**53 - 1))],
        "frames": [
            {"kind": 1, "bytes": (u8(1) + greeting).hex()},
            {"kind": 2, "bytes": (u8(2) + record).hex()},
            {"kind": 3, "bytes": (u8(3) + absent).hex()},
            {"kind": 4, "bytes": (u8(4) + some_witness).hex()},
            {"kind": 16, "bytes": (u8(16) + nonce + sent).hex()},
            {"kind": 17, "bytes": (u8(17) + some_rights).hex()},
            {"kind": 18, "bytes": (u8(18) + some_time).hex()},
            {"kind": 19, "bytes": (u8(19) + some_ack).hex()},
            {"kind": 20, "bytes": (u8(20) + event).hex()},
            {"kind": 21, "bytes": (u8(21) + some_recall).hex()},
        ],
    }


def pairing_vectors():
    shared, code = filler("shared", 32), filler("code", 16)
    identity, gate_public, hub_public = filler("identity", 32), filler("gate public", 32), filler("hub public", 32)
    transcript = identity + gate_public + hub_public + GATE
    _, key = hkdf(shared + code, b"", transcript, 32)
    hub_tag, gate_tag = H(key, 9, transcript), H(key, 10, transcript)
    sealed = filler("sealed", 50)
    codes = [bytes(16), b"\xff" * 16, code, bytes(15) + b"\x01"]
    canonical = code_text(code)
    crooked = "-".join(canonical[i:i + 5] for i in range(0, 26, 5)).lower().replace("0", "o").replace("1", "l")
    return {
        "shared": shared.hex(), "code": code.hex(), "hubIdentity": identity.hex(), "gatePublicKey": gate_public.hex(),
        "hubPublicKey": hub_public.hex(), "gateID": GATE.hex(), "gateKey": key.hex(),
        "hubConfirmation": hub_tag.hex(), "gateConfirmation": gate_tag.hex(),
        "frames": [
            {"kind": 1, "bytes": (u8(1) + u8(1) + gate_public).hex()},
            {"kind": 2, "bytes": (u8(2) + GATE + identity + hub_public + hub_tag).hex()},
            {"kind": 3, "bytes": (u8(3) + gate_tag).hex()},
            {"kind": 4, "bytes": (u8(4) + u16(len(sealed)) + sealed).hex()},
        ],
        "codes": [{"bytes": c.hex(), "text": code_text(c)} for c in codes],
        "typed": [{"text": f"  {crooked} ", "bytes": code.hex()},
                  {"text": canonical.replace("1", "i"), "bytes": code.hex()}],
        "badCodes": ["", canonical[:-1], canonical + "0", "U" + canonical[1:], "*" + canonical[1:], "0" * 25 + "1",
                     "0" * 25 + "3"],
    }


# Code, not-before, not-after, calendar (65535: at any time).
LEGACY_BADGES = [
    (b"7K2MQ0W9ZB4TXR5E1HVC", T - 3600, T + 90_000, 0),
    (b"N8D3JY6PGS0FK7A2MWQ1", 0, 2**53, 65535),
    (b"X5T9RB4E1HVCZ7K2MQ0W", 0, T, 65535),
]


def legacy_name(code, key=GATE_KEY):
    return H(key, 14, code)[:16]


def legacy_holder(code, start, end, calendar=65535):
    return legacy_name(code) + u64(start) + u64(end) + u16(calendar)


def calendars(*all_hours):
    return u16(len(all_hours)) + b"".join(
        u8(len(hours)) + b"".join(u64(a) + u64(b) for a, b in hours) for hours in all_hours)


def legacy_gate():
    """A legacy gate: what it holds, how it is called in the air, what it hears and what it answers."""
    def identifier(purpose, data):
        value = bytearray(hashlib.sha256(purpose.encode() + data).digest()[:16])
        value[6], value[8] = value[6] & 0x0f | 0x80, value[8] & 0x3f | 0x80
        return str(uuid.UUID(bytes=bytes(value)))

    hours = [(T, T + 3600), (T + 7200, T + 10800)]
    local = calendars(hours) + u16(3) + b"".join(sorted(legacy_holder(*badge) for badge in LEGACY_BADGES))
    a, b, c = (badge[0] for badge in LEGACY_BADGES)
    air_key = filler("legacy key", 16)
    written = bytes(x ^ air_key[i % 16] for i, x in enumerate(a))

    def heard(name, reason, code, utc):
        return {"name": name, "code": code.hex(), "utc": utc, "reason": reason}

    def refused(name, written, key, error):
        return {"name": name, "written": written.hex(), "key": key.hex(), "error": error}

    return {
        "gate": GATE.hex(), "key": GATE_KEY.hex(),
        "calendars": [[list(hour) for hour in hours]],
        "badges": [{"code": code.hex(), "name": legacy_name(code).hex(), "notBefore": start, "notAfter": end,
                    "calendar": None if calendar == 65535 else calendar} for code, start, end, calendar in LEGACY_BADGES],
        "rights": {"version": 12, "epoch": 7, "pulse": 500, "bytes": rights(12, 7, [], 500, local=local).hex()},
        "profile": {"service": identifier("soglia legacy service", GATE), "badge": identifier("soglia legacy badge", GATE),
                    "key": identifier("soglia legacy key", GATE), "beacon": identifier("soglia legacy beacon", GATE),
                    "systemName": "soglia-" + GATE.hex()[-12:]},
        "write": {"airKey": air_key.hex(), "written": written.hex(), "code": a.hex(),
                  "open": H(GATE_KEY, 15, u8(16) + air_key + written).hex()},
        "heard": [
            heard("the first second", "none", a, T), heard("the last second", "none", a, T + 10_799),
            heard("before its first day", "notYet", a, T - 3601), heard("after its last day", "expired", a, T + 90_000),
            heard("a second early", "outsideInterval", a, T - 1), heard("between its hours", "outsideInterval", a, T + 3600),
            heard("no clock", "clockUntrusted", a, None), heard("always", "none", b, 0),
            heard("taken away", "expired", c, T), heard("a code of nobody", "notValid", b"0" * 20, T),
            heard("a code that is cut off", "notValid", a[:-1], T), heard("no code at all", "notValid", b"", T),
        ],
        "refused": [
            refused("an empty key", written, b"", "emptyKey"), refused("nothing", b"", air_key, "truncated"),
            refused("21 bytes", bytes(21), air_key, "tooLong"), refused("a key of 23 bytes", written, bytes(23), "tooLong"),
        ],
    }


def refused_bytes():
    """Bytes that no decoder may take, with the error. `truncations`: every proper beginning is refused."""
    def sent(head=None, caveats=(), what=ENTER):
        head = head or header()
        return message(keys_of(GATE_KEY, head, caveats)[-1], head, caveats, "ble", GATE_NONCE, OPENER_NONCE, what)

    good = sent(header(intervals=EIGHT), FOUR)
    bus, pairing = bus_vectors(), pairing_vectors()
    case = full_case("", GATE_KEY, header(intervals=EIGHT[:2]), FOUR, "ble", ENTER)
    whole = {
        "message": good, "header": bytes.fromhex(case["header"]["bytes"]), "pass": bytes.fromhex(case["pass"]),
        "receipt": bytes.fromhex(case["receipts"][0]["receipt"]), "record": bytes.fromhex(case["receipts"][0]["record"]),
        "rights": bytes.fromhex(bus["rights"][1]["bytes"]), "time": bytes.fromhex(bus["time"][0]["bytes"]),
        "acknowledgement": bytes.fromhex(bus["acknowledgement"][0]["bytes"]),
        "hello": bytes.fromhex(bus["hello"][0]["bytes"]), "absent": bytes.fromhex(bus["absent"][0]["bytes"]),
        "recall": bytes.fromhex(bus["recall"][0]["bytes"]), "witness": bytes.fromhex(bus["witness"][0]["bytes"]),
        "query": filler("event", 16), "intent": bytes.fromhex(ENTER["bytes"]),
    }
    out = {"truncations": [{"format": f, "bytes": data.hex(), "error": "truncated"} for f, data in whole.items()]}
    for f, frames in (("frame", bus["frames"]), ("pairingFrame", pairing["frames"])):
        # An opening's message stays undecoded inside its frame: only the frame's own part can be cut.
        out["truncations"] += [{"format": f, "bytes": x["bytes"] if x["kind"] != 16 else x["bytes"][:34],
                                "error": "truncated"} for x in frames]
    bad = [{"name": f"a trailing byte after a {f}", "format": f, "bytes": (data + b"\0").hex(), "error": "trailingBytes"}
           for f, data in whole.items()]
    bad += [{"name": f"a trailing byte after frame {x['kind']}", "format": "frame", "bytes": x["bytes"] + "00",
             "error": "trailingBytes"} for x in bus["frames"] if x["kind"] != 16]
    bad += [{"name": f"a trailing byte after pairing frame {x['kind']}", "format": "pairingFrame",
             "bytes": x["bytes"] + "00", "error": "trailingBytes"} for x in pairing["frames"]]

    def add(name, data, error, form="message"):
        bad.append({"name": name, "format": form, "bytes": data.hex(), "error": error})

    for version in (0, 2, 255):
        add(f"version {version}", sent(header(version=version)), "unknownVersion")
        add(f"hello version {3 if version == 2 else version}", u8(3 if version == 2 else version) + whole["hello"][1:],
            "unknownVersion", "hello")
        add(f"pairing version {version}", u8(1) + u8(version) + filler("gate public", 32), "unknownVersion",
            "pairingFrame")
    for bit in (16, 32, 64, 128):
        add(f"flag {bit}", sent(header(raw_flags=2 | bit)), "unknownFlag")
    for kind in (0, 6, 255):
        add(f"caveat type {kind}", sent(caveats=[raw(u8(kind) + u16(0))]), "unknownType")
    for kind in (0, 5, 255):
        add(f"intent {kind}", sent(what=raw(u8(kind))), "unknownType")
        add(f"frame kind {kind or 22}", u8(kind or 22) + bytes(64), "unknownType", "frame")
        add(f"pairing frame kind {kind}", u8(kind) + bytes(64), "unknownType", "pairingFrame")
    add("an intent of no bytes", sent(what=raw(b"")), "truncated")
    add("an enter without its reason", sent(what=raw(u8(3))), "truncated")
    add("an apri with a reason", sent(what=raw(u8(1) + u16(0))), "trailingBytes")
    add("a caveat after last", sent(caveats=[caveat("last"), caveat("label", b"x")]), "afterLast")
    add("last twice", sent(caveats=[caveat("last"), caveat("last")]), "afterLast")
    add("a caveat where not narrowable", sent(header(flags=[]), [caveat("label", b"x")]), "notNarrowable")
    add("five caveats", sent(caveats=FOUR + [caveat("last")]), "tooManyCaveats")
    long = sent(header(intervals=EIGHT), [caveat("label", filler(f"label {i}", 64)) for i in range(4)])
    assert len(long) == 513
    add("513 bytes", long, "tooLong")
    add("a from of seven bytes", sent(caveats=[raw(u8(1) + u16(7) + bytes(7))]), "badValue")
    add("an until of nine bytes", sent(caveats=[raw(u8(2) + u16(9) + bytes(9))]), "badValue")
    add("no intents", sent(caveats=[caveat("intents", [])]), "badValue")
    add("an intent twice", sent(caveats=[caveat("intents", ["enter", "enter"])]), "badValue")
    add("an unknown intent in the list", sent(caveats=[raw(u8(3) + u16(1) + u8(9))]), "badValue")
    add("an empty label", sent(caveats=[caveat("label", b"")]), "badValue")
    add("a label of 65 bytes", sent(caveats=[caveat("label", b"x" * 65)]), "badValue")
    add("last with a value", sent(caveats=[raw(u8(5) + u16(1) + b"x")]), "badValue")
    add("nine intervals", sent(header(intervals=EIGHT + [(T + 9 * 3600, T + 10 * 3600)])), "tooLong")
    add("unsorted intervals", sent(header(intervals=EIGHT[1::-1])), "unsortedIntervals")
    add("intervals that overlap by a second", sent(header(intervals=[(T, T + 61), (T + 60, T + 90)])),
        "unsortedIntervals")
    add("an empty interval", sent(header(intervals=[(T, T)])), "unsortedIntervals")
    add("an interval that ends before it starts", sent(header(intervals=[(T + 9, T)])), "unsortedIntervals")
    add("24 hours and a second", sent(header(end=T + DAY + 1)), "badTimes")
    add("not-before equal to not-after", sent(header(start=T + 60, end=T + 60)), "badTimes")
    add("ended before it was issued", sent(header(start=T - 90, end=T - 60)), "badTimes")
    receipt = whole["receipt"]
    for value in (0, 3, 255):
        add(f"outcome {value}", u8(value) + receipt[1:], "badValue", "receipt")
    for value in (2, 255):
        add(f"clock state {value}", receipt[:11] + u8(value) + receipt[12:], "badValue", "receipt")
    for value in (0, 5):
        add(f"carrier {value}", whole["record"][:16] + u8(value) + whole["record"][17:], "badValue", "record")
    a, b = filler("denied 0", 16), filler("denied 1", 16)
    add("denied passes out of order", rights(1, 1, [(max(a, b), T), (min(a, b), T)], 500), "badValue", "rights")
    add("a denied pass twice", rights(1, 1, [(a, T), (a, T)], 500), "badValue", "rights")
    add("1,025 denied passes", u64(1) + u32(1) + u16(1025) + bytes(1025 * 24 + 34), "tooLong", "rights")
    a, b = sorted((legacy_name(code), code) for code, *_ in LEGACY_BADGES[:2])
    for name, data, error in (
            ("1,025 calendars", u16(1025), "tooLong"), ("57 hours of a calendar", u16(1) + u8(57), "tooLong"),
            ("an empty hour of a calendar", calendars([(T, T)]) + u16(0), "unsortedIntervals"),
            ("hours out of order", calendars([(T + 9, T + 10), (T, T + 1)]) + u16(0), "unsortedIntervals"),
            ("20,001 badges", u16(0) + u16(20_001), "tooLong"),
            ("badges out of order", u16(0) + u16(2) + legacy_holder(b[1], 0, 1) + legacy_holder(a[1], 0, 1), "badValue"),
            ("a badge twice", u16(0) + u16(2) + legacy_holder(a[1], 0, 1) * 2, "badValue"),
            ("a calendar that is not there", u16(0) + u16(1) + legacy_holder(a[1], 0, 1, 0), "badValue")):
        add(name, rights(1, 1, [], 500, local=data), error, "rights")
    add("an opening of 513 bytes", u8(16) + bytes(16 + 513), "tooLong", "frame")
    out["bytes"] = bad
    return out


def gate_cases():
    """What a gate answers to a well-formed message: positives (`none`) and every reason that it can find by itself."""
    def case(name, reason, head=None, caveats=(), made=None, data=None, what=ENTER, key=GATE_KEY, **context):
        head = head or header()
        made = {"carrier": "ble", "gateNonce": GATE_NONCE, **(made or {})}
        if data is None:
            data = message(keys_of(key, head, caveats)[-1], head, caveats, made["carrier"], made["gateNonce"],
                           OPENER_NONCE, what, made.get("gate"))
        gate = {"carrier": made["carrier"], "gateNonce": made["gateNonce"], "utc": T + 60, "uptime": 5, "epoch": 7,
                "denied": [], "hubContactAge": None, **context}
        return {"name": name, "reason": reason, "message": data.hex(),
                "gate": {**gate, "gateNonce": gate["gateNonce"].hex(), "id": GATE.hex(), "key": GATE_KEY.hex(),
                         "denied": [d.hex() for d in gate["denied"]]}}

    pass_id = filler("pass A", 16)
    hub = header(flags=["hub"], pass_id=filler("event", 16), issued=12, end=15)
    bus = {"carrier": "bus", "gateNonce": filler("session", 8) + u64(1)}
    online = header(flags=["onlineOnly"])
    hours = header(intervals=[(T, T + 60), (T + 120, T + 180)])
    cases = [
        case("a plain pass", "none"),
        case("the first second", "none", utc=T),
        case("the last second", "none", utc=T + DAY - 1),
        case("inside the second interval", "none", hours, utc=T + 120),
        case("four caveats that hold", "none", caveats=FOUR),
        case("a newer epoch than the gate's", "none", epoch=6),
        case("another pass is denied", "none", denied=[filler("pass B", 16)]),
        case("online, heard ten seconds ago", "none", online, hubContactAge=10),
        case("a hub opening without a clock", "none", hub, made=bus, utc=None, uptime=12),
        case("a hub opening in its last second", "none", hub, made=bus, utc=None, uptime=14),
        case("epoch - 1", "epochOld", epoch=8),
        case("a denied id", "revoked", denied=[filler("pass B", 16), pass_id]),
        case("a nonce that the gate has replaced since", "notValid", gateNonce=filler("next nonce", 16)),
        case("made for the screen, sent over Bluetooth", "notValid", made={"carrier": "qr"}, carrier="ble"),
        case("made for Bluetooth, sent over the bus", "notValid", made={"carrier": "ble"}, carrier="bus"),
        case("another gate's pass", "notValid", header(gate=OTHER_GATE), key=OTHER_KEY),
        case("this gate's key under another gate's id", "wrongGate", header(gate=OTHER_GATE)),
        case("an opening for another gate's id", "notValid", made={"gate": OTHER_GATE}),
        case("no clock", "clockUntrusted", utc=None),
        case("a second early", "notYet", utc=T - 1),
        case("a second late", "expired", utc=T + DAY),
        case("before the first interval", "outsideInterval", header(intervals=[(T + 120, T + 180)])),
        case("between the intervals", "outsideInterval", hours, utc=T + 60),
        case("after the last interval", "outsideInterval", hours, utc=T + 180),
        case("from: a second early", "caveatUnmet", caveats=[caveat("from", T + 61)]),
        case("until: a second late", "caveatUnmet", caveats=[caveat("until", T + 60)]),
        case("intents: another one", "caveatUnmet", caveats=[caveat("intents", ["apri", "leave"])]),
        case("the second of two caveats", "caveatUnmet", caveats=[FOUR[0], caveat("until", T + 60)]),
        case("online, heard eleven seconds ago", "needsHub", online, hubContactAge=11),
        case("online, never heard", "needsHub", online),
        case("the hub flag over Bluetooth", "hubOnly", hub, utc=T, uptime=12),
        case("the hub flag on the screen", "hubOnly", hub, made={"carrier": "qr"}, uptime=12),
        case("the hub flag over serial", "hubOnly", hub, made={"carrier": "serial"}, uptime=12),
        case("a hub opening three seconds later", "expired", hub, made=bus, uptime=15),
        case("a hub opening from before the start", "notYet", hub, made=bus, uptime=11),
        # The order: the first reason that the protocol names wins.
        case("clock before epoch", "clockUntrusted", utc=None, epoch=8),
        case("time before interval", "expired", hours, utc=T + DAY),
        case("interval before epoch", "outsideInterval", hours, utc=T + 60, epoch=8),
        case("epoch before deny list", "epochOld", epoch=8, denied=[pass_id]),
        case("deny list before caveats", "revoked", caveats=[caveat("until", T + 60)], denied=[pass_id]),
    ]
    # Field boundaries: the same bytes cut otherwise must never verify under the other cut's tag.
    first = message(keys_of(GATE_KEY, header(), [caveat("label", b"ab"), caveat("label", b"c")])[-1], header(),
                    [caveat("label", b"ab"), caveat("label", b"c")], "ble", GATE_NONCE, OPENER_NONCE, ENTER)
    moved = bytes.fromhex(header()["bytes"]) + caveat_bytes([caveat("label", b"a"), caveat("label", b"bc")])
    cases.append(case("a letter moved to the next label", "notValid", data=moved + first[-(16 + 2 + 3 + 32):]))
    merged = bytes.fromhex(header()["bytes"]) + caveat_bytes([caveat("label", b"abc")])
    cases.append(case("two labels merged", "notValid", data=merged + first[-(16 + 2 + 3 + 32):]))
    plain = message(keys_of(GATE_KEY, header(), [])[-1], header(), [], "ble", GATE_NONCE, OPENER_NONCE, ENTER)
    shifted = plain[:64] + GATE_NONCE[-1:] + OPENER_NONCE[:-1] + plain[80:]
    cases.append(case("a byte moved from the gate's nonce to the opener's", "notValid", data=shifted,
                      gateNonce=bytes(1) + GATE_NONCE[:-1]))
    dropped = message(keys_of(GATE_KEY, header(), FOUR)[-1], header(), FOUR[:3], "ble", GATE_NONCE, OPENER_NONCE, ENTER)
    cases.append(case("the last caveat dropped", "notValid", data=dropped))
    swapped = message(keys_of(GATE_KEY, header(), FOUR)[-1], header(), FOUR[::-1], "ble", GATE_NONCE, OPENER_NONCE, ENTER)
    cases.append(case("the caveats in another order", "notValid", data=swapped))
    interval = message(keys_of(GATE_KEY, header(intervals=EIGHT[:1]), [])[-1], header(), [], "ble", GATE_NONCE,
                       OPENER_NONCE, ENTER)
    cases.append(case("the interval dropped", "notValid", data=interval))
    return cases


def replays():
    a = full_case("", GATE_KEY, header(), [], "ble", ENTER)
    b = full_case("", GATE_KEY, header(), [], "ble", ENTER, opener_nonce=filler("next opener nonce", 16))
    session, other = filler("session", 8), filler("next session", 8)
    steps = [(session, 5, True), (session, 5, False), (session, 4, True), (session, 4, False), (other, 6, False),
             (session, 100, True), (session, 37, True), (session, 36, False), (session, 100, False),
             (session, 1000, True), (session, 937, True), (session, 936, False), (session, 999, True)]
    journal = filler("journal", 16)
    ack = acknowledgement(journal, 41, 1234, filler("ledger head", 32)).hex()
    return {
        "receipts": [
            {"name": "a receipt for this opening", "pass": a["pass"], "message": a["message"],
             "receipt": a["receipts"][0]["receipt"], "verifies": True},
            {"name": "a receipt for another open", "pass": a["pass"], "message": b["message"],
             "receipt": a["receipts"][0]["receipt"], "verifies": False},
        ],
        "rights": [{"name": name, "bytes": rights(9, 7, [], 500).hex(), "held": held, "newer": newer}
                   for name, held, newer in (("newer rights", 8, True), ("the same rights", 9, False),
                                             ("older rights", 10, False))],
        "time": [{"name": name, "bytes": time_answer(filler("time nonce", 16), T).hex(), "nonce": n.hex(), "verifies": v}
                 for name, n, v in (("the answer", filler("time nonce", 16), True),
                                    ("a replayed time", filler("next time nonce", 16), False))],
        "acknowledgement": [
            {"name": name, "bytes": ack, "journalID": j.hex(), "acknowledged": last, "advances": v}
            for name, j, last, v in (("the first", journal, None, True), ("the next", journal, 40, True),
                                     ("a replayed acknowledgement", journal, 41, False),
                                     ("an older acknowledgement", journal, 50, False),
                                     ("another journal's", filler("next journal", 16), None, False))],
        "busNonces": {"session": session.hex(), "reason": "nonceUsed",
                      "steps": [{"nonce": (s + u64(n)).hex(), "accepted": ok} for s, n, ok in steps]},
        "nonceAges": [{"carrier": c, "age": age, "accepted": ok, "reason": "none" if ok else "nonceUsed"}
                      for c, age, ok in (("ble", 0, True), ("ble", 9, True), ("ble", 10, False), ("serial", 9, True),
                                         ("serial", 10, False), ("qr", 59, True), ("qr", 60, False))],
    }


def legacy():
    badge = b"ABCDEFGH"

    def xor(key):
        return bytes(x ^ key[i % len(key)] for i, x in enumerate(badge)).hex()

    return [
        {"name": "an empty key", "badge": badge.hex(), "key": "", "error": "emptyKey"},
        {"name": "a key shorter than the badge", "badge": badge.hex(), "key": b"key".hex(), "cipher": xor(b"key")},
        {"name": "a key of one byte", "badge": badge.hex(), "key": "ff", "cipher": xor(b"\xff")},
        {"name": "a key longer than the badge", "badge": badge.hex(), "key": bytes(range(40)).hex(),
         "cipher": xor(bytes(range(40)))},
        {"name": "an empty badge", "badge": "", "key": "ff", "cipher": ""},
    ]


def box_inputs():
    """What a home's box and its hub sign: the whole MAC inputs."""
    session, journal = filler("box session", 8), filler("box journal", 16)
    panel = u8(6) + u8(3) + u8(0) + u64(4) + u32(29_000)
    hello = (u8(1) + session + u64(61_000) + u32(2) + journal + u64(7) + u64(3) + u8(1) + filler("box nonce", 16)
             + panel)
    record = (journal + u64(7) + u8(9) + panel + u8(3) + u8(255) + u32(0) + filler("act", 16)
              + u64(1_795_262_400_000) + u8(1) + filler("digest", 32))
    order = session + u64(1) + u64(1_795_262_410) + u8(2) + u8(0) + u64(5) + panel + filler("act", 16)
    delays = b"".join(u16(s) for s in (0, 60, 0, 60, 30, 30, 30, 30))
    sensors = (u8(2) + u8(3) + b"gas" + u8(1) + u8(0) + u8(1) + u32(400_000) + u32(40_000) + u32(0)
               + u8(4) + b"door" + u8(3) + u8(1) + u8(0))
    settings = (u64(3) + delays + u16(120) + u8(1) + sensors + u8(0) + u32(800_000) + u16(30)
                + u8(1) + filler("tag", 16) + filler("digest", 32))
    return [(18, "boxHello", GATE_KEY, hello), (19, "boxRecord", GATE_KEY, record), (20, "boxOrder", GATE_KEY, order),
            (21, "boxSettings", GATE_KEY, settings), (22, "tag", GATE_KEY, u8(4) + bytes.fromhex("04a1b2c3")),
            (23, "boxOrderRefused", GATE_KEY, filler("order", 16) + u8(4))]


def every_domain():
    """Each domain's byte, key, whole MAC input and tag."""
    case = full_case("", GATE_KEY, header(), FOUR[:1], "ble", ENTER)
    reply = case["receipts"][0]
    pairing, bus = pairing_vectors(), bus_vectors()
    body = bytes.fromhex(bus["rights"][1]["bytes"])[8:-32]
    transcript = bytes.fromhex(pairing["hubIdentity"] + pairing["gatePublicKey"] + pairing["hubPublicKey"]) + GATE
    inputs = [
        (1, "passKey", GATE_KEY, bytes.fromhex(case["header"]["bytes"])),
        (2, "narrowed", bytes.fromhex(case["keys"][0]), bytes.fromhex(FOUR[0]["bytes"])),
        (3, "open", bytes.fromhex(case["keys"][-1]), bytes.fromhex(case["openInput"])[1:]),
        (4, "receipt", bytes.fromhex(case["keys"][-1]), bytes.fromhex(case["open"] + reply["receipt"][:-64])),
        (5, "proof", GATE_KEY, GATE + bytes.fromhex(reply["record"])[:-32]),
        (6, "rights", GATE_KEY, u64(9) + hashlib.sha256(body).digest()),
        (7, "time", GATE_KEY, bytes.fromhex(bus["time"][0]["bytes"])[:-32]),
        (8, "acknowledgement", GATE_KEY, bytes.fromhex(bus["acknowledgement"][0]["bytes"])[:-32]),
        (9, "pairingHub", bytes.fromhex(pairing["gateKey"]), transcript),
        (10, "pairingGate", bytes.fromhex(pairing["gateKey"]), transcript),
        (11, "nonce", GATE_KEY, u32(17) + u64(1)),
        (12, "hello", GATE_KEY, bytes.fromhex(bus["hello"][0]["bytes"])[:-32]),
        (13, "absent", GATE_KEY, filler("event", 16)),
        (14, "badge", GATE_KEY, LEGACY_BADGES[0][0]),
        (15, "write", GATE_KEY, u8(1) + b"k" + b"written"),
        (16, "recall", GATE_KEY, filler("time nonce", 16) + bytes.fromhex(bus["recall"][0]["bytes"])[:-32]),
        (17, "witness", GATE_KEY,
         bytes.fromhex(bus["recall"][0]["bytes"])[-32:] + bytes.fromhex(bus["witness"][0]["bytes"])[:-32]),
    ] + box_inputs()
    return [{"domain": d, "name": n, "key": k.hex(), "input": (u8(d) + x).hex(), "tag": H(k, d, x).hex()}
            for d, n, k, x in inputs]


def rfc():
    """RFC 4231 and RFC 2202, with the tags as printed there."""
    big = b"\xaa"
    sha256 = [
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?",
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (big * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
        (big * 131, b"Test Using Larger Than Block-Size Key - Hash Key First",
         "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        (big * 131, b"This is a test using a larger than block-size key and a larger than block-size data. The key "
         b"needs to be hashed before being used by the HMAC algorithm.",
         "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]
    sha1 = [
        (b"\x0b" * 20, b"Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (b"Jefe", b"what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (big * 20, b"\xdd" * 50, "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
        (bytes(range(1, 26)), b"\xcd" * 50, "4c9007f4026250c6bc8414f9bf50c86c2d7235da"),
        (b"\x0c" * 20, b"Test With Truncation", "4c1a03424b55e07fe7f27be1d58bb9324a9a5a04"),
        (big * 80, b"Test Using Larger Than Block-Size Key - Hash Key First",
         "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
        (big * 80, b"Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data",
         "e8e99d0f45237d786d6bbaa7965c7808bbff1a91"),
    ]
    for rows, algorithm in ((sha256, hashlib.sha256), (sha1, hashlib.sha1)):
        for key, data, tag in rows:
            assert hmac.new(key, data, algorithm).hexdigest().startswith(tag), tag
    return {name: [{"key": k.hex(), "data": d.hex(), "tag": t} for k, d, t in rows]
            for name, rows in (("hmacSHA256", sha256), ("hmacSHA1", sha1))}


def main():
    vectors = {
        "about": "Test vectors of the pass protocol, written by make_pass_vectors.py. Bytes are hexadecimal.",
        "rfc": rfc(),
        "domains": every_domain(),
        "passes": positives(),
        "bus": bus_vectors(),
        "pairing": pairing_vectors(),
        "legacy": legacy(),
        "legacyGate": legacy_gate(),
        "gate": gate_cases(),
        "replays": replays(),
        "refused": refused_bytes(),
    }
    target = pathlib.Path(__file__).with_name("pass.json")
    target.write_text(json.dumps(vectors, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
