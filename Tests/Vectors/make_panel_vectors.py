#!/usr/bin/env python3
"""Writes panel.json beside itself: the test vectors of the alarm panel.

This is a second statement of how a panel behaves, written as one would explain it to somebody and not as the table of the Swift
sources: what both agree on is the panel. It uses the standard library only and no randomness, so that the file is the same on
every run. The tests of the table, of the hub's keeper and of the box read the file. Times are milliseconds, delays seconds.

    rules    by name: exit and entry delay per mode, time of the alarm, whether it ends disarmed
    rows     from every standing, by every input, under every rule: [rules, before, now, input, after]
    stories  several inputs one after the other, with what the panel shows after each
    keepers  two panels that were apart, hub's and box's, which of them is right, and how the box stands once it was told to follow

A panel is [state, mode or null, deadline or null, sounding, number]; an input is its name, with a mode or a class after a colon.
"""

import itertools
import json
import pathlib

MODES = ["home", "away", "night", "vacation"]
CLASSES = ["environmental", "motion", "door", "tamper"]
ARMED = {"armed_" + mode for mode in MODES}

RULES = {
    "usual": {
        "exit": {"home": 0, "away": 60, "night": 0, "vacation": 60},
        "entry": {"home": 30, "away": 30, "night": 30, "vacation": 30}, "alarm": 120, "disarms": False},
    "at once": {
        "exit": dict.fromkeys(MODES, 0), "entry": dict.fromkeys(MODES, 0), "alarm": 30, "disarms": False},
    "each its own, disarmed afterwards": {
        "exit": {"home": 5, "away": 45, "night": 0, "vacation": 600},
        "entry": {"home": 0, "away": 20, "night": 15, "vacation": 0}, "alarm": 900, "disarms": True},
}


class Panel:
    def __init__(self, state="disarmed", mode=None, deadline=None, sounding=False, number=0):
        self.state, self.mode, self.deadline, self.sounding, self.number = state, mode, deadline, sounding, number

    def told(self):
        return [self.state, self.mode, self.deadline, self.sounding, self.number]

    def copy(self):
        return Panel(*self.told())

    # What a panel does by itself.

    def rest(self):
        """As before an alarm: armed as it was, or disarmed when it was not."""
        self.state = "armed_" + self.mode if self.mode else "disarmed"
        self.deadline, self.sounding = None, False

    def sound(self, now, rules):
        self.state, self.sounding = "triggered", True
        self.deadline = now + 1000 * rules["alarm"]

    def somebody_came(self, now, rules):
        """Who belongs there has some time to say so."""
        delay = rules["entry"][self.mode]
        if delay == 0:
            return self.sound(now, rules)
        self.state, self.deadline = "pending", now + 1000 * delay

    # What happens to it.

    def take(self, text, now, rules):
        name, _, what = text.partition(":")
        getattr(self, "time_is_up" if name == "deadline" else name)(now, rules, *([what] if what else []))

    def arm(self, now, rules, mode):
        if self.state in ("pending", "triggered"):
            return
        self.mode, self.number = mode, self.number + 1
        delay = rules["exit"][mode]
        if delay == 0:
            self.state, self.deadline = "armed_" + mode, None
        else:
            self.state, self.deadline = "arming", now + 1000 * delay

    def disarm(self, now, rules):
        self.__init__(number=self.number + 1)

    def trip(self, now, rules, kind):
        if kind == "environmental":
            return self.sound(now, rules)
        if self.state == "triggered":
            # The siren is off and the house still armed: whoever does not belong there makes it sound again.
            if self.mode and not self.sounding and (kind != "motion" or self.mode in ("away", "vacation")):
                self.sound(now, rules)
            return
        if kind == "tamper" and (self.state in ARMED or self.state == "pending"):
            return self.sound(now, rules)
        if kind == "door" and self.state in ARMED:
            return self.somebody_came(now, rules)
        if kind == "motion" and self.state in ("armed_away", "armed_vacation"):
            return self.somebody_came(now, rules)

    def trigger(self, now, rules):
        self.sound(now, rules)

    def time_is_up(self, now, rules):
        if self.deadline is None or now < self.deadline:
            return
        if self.state == "arming":
            self.rest()
        elif self.state == "pending":
            self.sound(now, rules)
        elif self.state == "triggered":
            if rules["disarms"]:
                self.mode = None
            self.rest()

    def silence(self, now, rules):
        if self.state == "triggered":
            self.sounding = False

    def reset(self, now, rules):
        if self.state == "triggered":
            self.number += 1
            self.rest()


INPUTS = (["arm:" + mode for mode in MODES] + ["disarm"] + ["trip:" + kind for kind in CLASSES]
          + ["trigger", "deadline", "silence", "reset"])


def standings():
    """Every way in which a panel can stand, at the moment 1,000,000 with deadlines that have not come, have just come, are long over."""
    yield Panel(number=3)
    for mode in MODES:
        yield Panel("armed_" + mode, mode, number=4)
    for mode, deadline in itertools.product(MODES, [1_000_001, 1_000_000, 1]):
        yield Panel("arming", mode, deadline, number=5)
        yield Panel("pending", mode, deadline, number=6)
    for mode, deadline, sounding in itertools.product([None] + MODES, [1_000_001, 1_000_000], [True, False]):
        yield Panel("triggered", mode, deadline, sounding, 7)


def rows():
    for name, rules in RULES.items():
        for before in standings():
            for text in INPUTS:
                after = before.copy()
                after.take(text, 1_000_000, rules)
                yield [name, before.told(), 1_000_000, text, after.told()]


STORIES = [
    ("Somebody leaves, comes back and disarms in time", "usual", [
        (0, "arm:away"), (20_000, "trip:motion"), (59_999, "deadline"), (60_000, "deadline"),
        (3_600_000, "trip:door"), (3_605_000, "trip:motion"), (3_629_999, "deadline"), (3_629_999, "disarm"),
        (3_630_000, "deadline"),
    ]),
    ("A burglar is not in time, is heard, and the house is armed again", "usual", [
        (0, "arm:vacation"), (60_000, "deadline"), (90_000, "trip:motion"), (95_000, "trip:motion"),
        (120_000, "deadline"), (121_000, "trip:door"), (150_000, "silence"), (239_999, "deadline"),
        (240_000, "deadline"), (250_000, "trip:door"), (260_000, "disarm"),
    ]),
    ("Who forces the box waits for no delay", "usual", [
        (0, "arm:night"), (10_000, "trip:motion"), (20_000, "trip:door"), (21_000, "trip:tamper"), (30_000, "reset"),
        (31_000, "trip:tamper"), (40_000, "disarm"), (41_000, "trip:tamper"),
    ]),
    ("Gas is told in every state, and a new cause ends a silence", "usual", [
        (0, "trip:environmental"), (5_000, "silence"), (6_000, "trip:environmental"), (7_000, "arm:home"),
        (126_000, "deadline"), (130_000, "arm:away"), (140_000, "trip:environmental"), (150_000, "reset"),
        (160_000, "trip:door"), (165_000, "trip:environmental"), (170_000, "disarm"),
    ]),
    ("Gas is silenced in a house that is armed, and then an intruder comes", "usual", [
        (0, "arm:away"), (60_000, "deadline"), (70_000, "trip:environmental"), (75_000, "trip:door"), (80_000, "silence"),
        (90_000, "trip:motion"), (95_000, "trip:tamper"), (209_999, "deadline"), (210_000, "deadline"),
        (220_000, "trip:environmental"), (221_000, "silence"), (222_000, "disarm"), (223_000, "trip:environmental"),
        (224_000, "silence"), (225_000, "trip:door"),
    ]),
    ("Nothing waits where no delay is wished", "at once", [
        (0, "arm:away"), (1, "trip:motion"), (30_000, "deadline"), (30_001, "deadline"),
        (30_002, "arm:home"), (30_003, "trip:motion"), (30_004, "trip:door"), (30_005, "disarm"),
    ]),
    ("A house that is disarmed after its alarm", "each its own, disarmed afterwards", [
        (0, "arm:away"), (10_000, "arm:night"), (20_000, "trip:motion"), (21_000, "trip:door"),
        (36_000, "deadline"), (936_000, "deadline"), (940_000, "trip:door"), (950_000, "arm:vacation"),
        (950_001, "trigger"), (1_850_001, "deadline"),
    ]),
    ("A hub that was away for a day takes what was due once, and counts the alarm from now", "usual", [
        (0, "arm:away"), (60_000, "deadline"), (70_000, "trip:door"), (86_400_000, "deadline"),
        (86_400_001, "deadline"), (86_520_000, "deadline"),
    ]),
    ("Somebody calls for help in a house that is not armed", "usual", [
        (0, "trigger"), (1_000, "reset"), (2_000, "reset"), (3_000, "silence"), (4_000, "disarm"),
    ]),
    ("Who changes their mind while leaving begins again", "usual", [
        (0, "arm:away"), (50_000, "arm:vacation"), (60_000, "deadline"), (110_000, "deadline"),
        (120_000, "arm:home"), (130_000, "disarm"),
    ]),
]


def stories():
    for name, rules, steps in STORIES:
        panel = Panel()
        told = []
        for now, text in steps:
            panel.take(text, now, RULES[rules])
            told.append([now, text, panel.told()])
        yield {"name": name, "rules": rules, "steps": told}


def right(hub, box):
    """Who knows of more acts is right. When both know the same, a box that has seen somebody counts more than a quiet hub."""
    if hub.number != box.number:
        return "hub" if hub.number > box.number else "box"
    loud = ("pending", "triggered")
    return "box" if box.state in loud and hub.state not in loud else "hub"


def followed(hub, box):
    """How a box stands that is told how its hub does, with no act behind it. Nobody but people end an alarm: what is on at the box
    stays on, under the number and the mode of a hub that knows of more acts."""
    if right(hub, box) == "box":
        return box
    loudness = [("pending", False), ("triggered", False), ("triggered", True)]

    def rank(panel):
        standing = (panel.state, panel.sounding)
        return loudness.index(standing) + 1 if standing in loudness else 0

    if rank(box) <= rank(hub):
        return hub
    stays = box.copy()
    stays.number = hub.number
    if hub.mode or box.state == "triggered":
        stays.mode = hub.mode
    return stays


def keepers():
    kinds = [Panel(), Panel("arming", "away", 9_000), Panel("armed_home", "home"), Panel("armed_away", "away"),
             Panel("pending", "away", 8_000), Panel("triggered", "away", 7_000, True), Panel("triggered", None, 7_000, True),
             Panel("triggered", "home", 6_000, False)]
    for hub, box, numbers in itertools.product(kinds, kinds, [(4, 4), (5, 4), (4, 5)]):
        one, other = hub.copy(), box.copy()
        one.number, other.number = numbers
        yield [one.told(), other.told(), right(one, other), followed(one, other).told()]


def main():
    def lines(items):
        return "[\n" + ",\n".join("  " + json.dumps(item) for item in items) + "\n ]"

    target = pathlib.Path(__file__).with_name("panel.json")
    target.write_text(
        "{\n" + f' "rules": {json.dumps(RULES)},\n "rows": {lines(rows())},\n "stories": {lines(stories())},\n'
        + f' "keepers": {lines(keepers())}\n' + "}\n")


if __name__ == "__main__":
    main()
