#!/usr/bin/python3
"""Runs the stories (Tests/EndToEnd) in several processes at once, and says which of them are not steady.

    Scripts/stories.py                     all of them; SOGLIA names the program (.build/debug/soglia)
    Scripts/stories.py test_bus.py …       those modules
    Scripts/stories.py --seconds           all of them, and what each module took is written into Tests/EndToEnd/seconds.json
    Scripts/stories.py --self-test         plant stories that hang, crash, fail always, fail once …, and see what is said of each

A module with a failed story runs once more from its start, in a process and with a demo of its own: after the others, or, where the
story hung, beside them. A story that passes then is *unsteady*: it is listed last, with its first failure, and (in a run of all)
appended to Tests/unsteady.txt. If more than three stories fail, none is run again. A story that the last ten runs in that file list
already is red. In the modules of VITAL one failure is red; so is a story that ended its process, that did not run to its end, or that
was skipped.
"""

import argparse
import contextlib
import datetime
import fcntl
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORIES = ROOT / "Tests/EndToEnd"
PYTHON = ROOT / ".venv/bin/python"
LAST = "test_every_page.py"

# Openings, alarms, erasure, the ledger: what must not be let pass because it went well the second time.
VITAL = {
    "test_bus.py", "test_clock.py", "test_crashes.py", "test_cut.py", "test_erasing_one.py", "test_first_light.py", "test_full_disk.py",
    "test_home_alarms.py",
    "test_home_care.py", "test_home_losses.py", "test_home_protection.py", "test_home_safety.py", "test_home_story.py", "test_legacy.py",
    "test_offline.py",
    "test_pairing.py", "test_phone.py", "test_privacy.py", "test_profile.py", "test_push.py", "test_restore.py",
    "test_unsent_rights.py",
}
# What may be left out, where the machine lacks what it is about.
MAY_SKIP = {"test_operation.py"}
PROCESSES = 3
UNSTEADY_MOST, UNSTEADY_RUNS = 3, 10
# Seconds that all of them have together, here and in the long campaigns.
LIMIT = 2400
SOAK_LIMIT = 12 * 3600


@dataclass
class Story:
    """What became of one story."""
    failed: bool = False
    skipped: bool = False
    crashed: bool = False
    phases: set = field(default_factory=set)
    seconds: float = 0
    words: str = ""
    said: list = field(default_factory=list)

    @property
    def reason(self):
        """The line that says why it failed."""
        lines = [line[2:].strip() for line in self.words.splitlines() if line.startswith("E ")]
        return (lines or self.words.strip().splitlines()[-1:] or ["no reason was given"])[0][:200]

    @property
    def passed(self):
        return not self.failed and not self.skipped and self.phases == {"setup", "call", "teardown"}

    @property
    def hung(self):
        """Whether it was ended because it ran into its limit of time."""
        return "from pytest-timeout" in self.words

    @property
    def log(self):
        said = [f"--- {title}\n{text}" for title, text in self.said]
        return "\n".join([self.words, *said])


def module_of(story):
    return story.split("::")[0].rsplit("/", 1)[-1]


def read_reports(file):
    """story -> what became of it, of one run of pytest."""
    stories = {}
    for line in file.read_text(encoding="utf-8").splitlines(True) if file.exists() else []:
        if not line.endswith("\n"):
            break   # it is being written, or its writer was ended
        report = json.loads(line)
        story = stories.setdefault(report["story"], Story())
        story.seconds += report["seconds"]
        story.phases.add(report["when"])
        if report["outcome"] == "failed":
            story.failed, story.words, story.said = True, story.words or report["words"], story.said or report["said"]
        story.skipped |= report["outcome"] == "skipped"
        story.crashed |= report["when"] not in ("setup", "call", "teardown")
    return stories


def processes_of(mark):
    """id -> how it was called, of each process with a mark in its environment, however far down it was started."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        # They inherit it. What has ended and waits for its parent has no environment any more; others' we may not read.
        with contextlib.suppress(OSError, ValueError):
            if mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(entry.name)] = words.strip()[:160]
    return found


def has_ended(process, seconds):
    """Whether a process ended, or does so within some seconds."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(seconds) is not None
    return False


def end_what_is_left(mark, patience=5):
    """Ends what a run started and did not end, by their ids; answers how they were called. What is about to end has a little time."""
    over = time.monotonic() + patience
    while (left := processes_of(mark)) and time.monotonic() < over:
        time.sleep(0.1)
    said = list(left.values())
    while left:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
        left = processes_of(mark)
    return said


class Run:
    """One run of the stories of a folder."""

    def __init__(self, folder, work, *, vital, unsteady, processes=PROCESSES, limit=LIMIT, commit="", output=sys.stdout):
        self.folder, self.work, self.vital, self.unsteady_file = folder, work, vital, unsteady
        self.processes, self.commit, self.output = processes, commit, output
        self.over = time.monotonic() + limit
        self.prefix = "sg" + secrets.token_hex(3)
        self.date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.faults, self.started, self.under_way = [], [], {}
        shutil.rmtree(work, ignore_errors=True)
        (work / "visited").mkdir(parents=True)
        # What somebody's shell asks of pytest is not what this run asks; and without `assert` nothing is held against anything.
        foreign = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_TIMEOUT", "PYTHONOPTIMIZE")
        own = {name: value for name, value in os.environ.items() if name not in foreign}
        self.environment = own | {
            "SOGLIA_VISITED": str(work / "visited"), "SOGLIA_PREFIX": self.prefix, "PYTHONPATH": str(STORIES),
            "SOGLIA": str(pathlib.Path(os.environ.get("SOGLIA", ROOT / ".build/debug/soglia")).absolute())}

    def say(self, *words):
        print(*words, file=self.output, flush=True)

    def start(self, name, modules, *options, output):
        """A run of pytest, which reports to `name`.jsonl."""
        process = subprocess.Popen(
            [PYTHON, "-m", "pytest", *options, *(self.folder / module for module in modules)], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            env=self.environment | {"SOGLIA_REPORTS": str(self.work / f"{name}.jsonl"), "SOGLIA_RUN": f"{self.prefix}-{name}"})
        self.started.append(process)
        return process

    def end_all(self):
        """Ends whatever of this run still runs, after Ctrl-C or when it hangs, and removes its folders."""
        # An impatient person says it twice.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            for process in self.started:
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            end_what_is_left(f"SOGLIA_PREFIX={self.prefix}", patience=0)
            for folder in pathlib.Path("/tmp").glob(f"{self.prefix}-*"):
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def finish(self, process, name):
        """Waits for a run of pytest; answers its stories. Anything but stories that passed and failed is a fault."""
        try:
            status = process.wait(max(1, self.over - time.monotonic()))
        except subprocess.TimeoutExpired:
            status = "no end in time"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reports = self.work / f"{name}.jsonl"
        stories = read_reports(reports)
        if reports.exists() and not reports.read_bytes().endswith(b"\n"):
            self.faults.append(f"pytest ({name}) ended in the middle of a report")
        for story in stories.values():
            if not (story.passed or story.failed or story.skipped):
                story.failed, story.crashed, story.words = True, True, "E the story did not finish: its process ended"
        # 1 says that stories failed, and those we know; it says as well that some could not be collected.
        if status != int(any(story.failed for story in stories.values())):
            self.faults.append(f"pytest ({name}) exited with status {status}; its reports are in {self.work}")
        for words in end_what_is_left(f"SOGLIA_RUN={self.prefix}-{name}"):
            self.faults.append(f"a process outlived its story ({name}): {words}")
        return stories

    def all(self, modules):
        options = ["-n", str(self.processes), "--max-worker-restart", "3", "--dist", "loadfile", "--no-loadscope-reorder"]
        process = self.start("first", modules, *options, output=self.output)
        # A story that hangs uses no processor. Run again at once, beside the others, it does not cost its limit twice.
        while not has_ended(process, 1) and time.monotonic() < self.over:
            failed = {name: story for name, story in read_reports(self.work / "first.jsonl").items() if story.failed}
            if len(failed) <= UNSTEADY_MOST:
                for module in sorted({module_of(name) for name, story in failed.items() if story.hung} - self.vital):
                    self.start_again(module)
        return self.finish(process, "first")

    def start_again(self, module):
        """A module once more, in a process of its own; they are as few as stories may be unsteady."""
        if (name := f"again-{module}") not in self.under_way:
            with (self.work / f"{name}.log").open("wb") as log:
                self.under_way[name] = self.start(name, [module], output=log)

    def again(self, modules):
        """The stories of modules that ran once more."""
        for module in modules:
            self.start_again(module)
        stories = {}
        for name, process in self.under_way.items():
            stories |= self.finish(process, name)
        return stories

    def known_unsteady(self):
        """Stories that were unsteady in the last runs that the file knows: `date commit story  reason`."""
        lines = self.unsteady_file.read_text(encoding="utf-8").splitlines() if self.unsteady_file.exists() else []
        runs = {}
        for line in lines:
            words = line.split(" ", 3)
            if len(words) >= 3:
                runs.setdefault(words[0], set()).add(words[2])
            elif line:
                self.faults.append(f"{self.unsteady_file.name}: malformed, expected `date commit story reason`: {line}")
        return set().union(*[runs[date] for date in sorted(runs)[-UNSTEADY_RUNS:]])

    def note_unsteady(self, unsteady):
        with self.unsteady_file.open("a", encoding="utf-8") as file:
            file.writelines(self.line_of(name, story) + "\n" for name, story in unsteady.items())

    def line_of(self, name, story):
        return f"{self.date} {self.commit or '-'} {name.replace(' ', '_')} {story.reason}"

    def judge(self, modules, *, is_whole):
        """Runs modules; answers whether all is well, having said what was not."""
        try:
            return self._judge(modules, is_whole=is_whole)
        finally:
            self.end_all()

    def _judge(self, modules, *, is_whole):
        began = time.monotonic()
        first = self.all(modules)
        self.seconds = {"stories": time.monotonic() - began}
        failed = {name: story for name, story in first.items() if story.failed}
        red, unsteady = {}, {}
        vital = {name for name, story in failed.items() if module_of(name) in self.vital or story.crashed}
        candidates = [name for name in failed if name not in vital]
        red |= {name: failed[name] for name in vital}
        if len(candidates) > UNSTEADY_MOST:
            self.faults.append(f"{len(candidates)} stories failed; more than {UNSTEADY_MOST} are not run again")
            red |= {name: failed[name] for name in candidates}
        elif candidates:
            began = time.monotonic()
            again = sorted(set(map(module_of, candidates)))
            self.say(f"\nstories: running failed modules again: {', '.join(again)}")
            second = self.again(again)
            self.seconds["stories again"] = time.monotonic() - began
            known = self.known_unsteady()
            for name in candidates:
                passed = name in second and second[name].passed
                (unsteady if passed else red)[name] = failed[name]
                if passed and name.replace(" ", "_") in known:
                    self.faults.append(f"{name} is listed in Tests/unsteady.txt already: fix the story, then delete its lines")
            red |= {name: story for name, story in second.items() if story.failed and name not in failed}
            self.look_for_skipped(second)
            if is_whole:
                self.note_unsteady(unsteady)
        missing = set(modules) - {module_of(name) for name in first}
        if missing:
            self.faults.append(f"no story ran of {', '.join(sorted(missing))}")
        if is_whole and red:
            self.say("\nstories: pages are not counted, since a story failed")
        elif is_whole:
            pages = self.finish(self.start("pages", [LAST], "-q", output=self.output), "pages")
            first |= pages
            red |= {name: story for name, story in pages.items() if story.failed}
            if not any(story.passed or story.failed for story in pages.values()):
                self.faults.append("page coverage was not checked")
        self.look_for_skipped(first)
        self.close(first, red, unsteady)
        return not red and not self.faults

    def look_for_skipped(self, stories):
        skipped = [name for name, story in stories.items() if story.skipped and module_of(name) not in MAY_SKIP]
        if skipped:
            self.faults.append(f"skipped: {', '.join(skipped)}")

    def close(self, stories, red, unsteady):
        for name, story in red.items():
            self.say(f"\n=== failed: {name}\n{story.log}")
        for name, story in unsteady.items():
            self.say(f"\n=== unsteady: {name} (failed, then passed when run again; the first failure:)\n{story.log}")
        skipped = sum(story.skipped for story in stories.values())
        passed = len(stories) - skipped - len(red) - len(unsteady)
        slowest = sorted(stories.items(), key=lambda item: -item[1].seconds)[:20]
        lines = ["", "The slowest stories, with the start of their demos:"]
        lines += [f"  {story.seconds:6.1f} s  {name}" for name, story in slowest]
        lines += [f"  {seconds:6.1f} s  {part}" for part, seconds in self.seconds.items()]
        lines += [f"error: {fault}" for fault in self.faults]
        if skipped:
            lines.append(f"{skipped} skipped: {', '.join(name for name, story in stories.items() if story.skipped)}")
        for word, kind in (("failed", red), ("unsteady", unsteady)):
            lines += [
                f"{word}: {name}: {story.reason}" + (" (vital: not run again)" if module_of(name) in self.vital else "")
                for name, story in kind.items()]
        if red:
            program = os.path.relpath(self.environment["SOGLIA"], ROOT)
            lines.append(f"Run one of them: SOGLIA={program} .venv/bin/python -m pytest '{STORIES.relative_to(ROOT)}/{next(iter(red))}'")
        if unsteady:
            lines.append("Unsteady stories: add these lines to Tests/unsteady.txt and commit it, unless they are there; delete them with the fix.")
            lines += [self.line_of(name, story) for name, story in unsteady.items()]
        lines.append(f"{passed} passed, {len(red) + len(self.faults)} failed, {len(unsteady)} unsteady")
        (self.work / "closing.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.say("\n".join(lines))
        self.taken = {}
        for name, story in stories.items():
            self.taken[module_of(name)] = self.taken.get(module_of(name), 0) + story.seconds


def commit_now():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


# MARK: self-test

PLANTS = {
    "test_well.py": "def test_well(): pass\n",
    "test_once.py": (
        "import pathlib\n"
        "def test_once():\n"
        "    seen = pathlib.Path(__file__).with_suffix('.seen')\n"
        "    was, _ = seen.exists(), seen.touch()\n"
        "    assert was, 'the first time'\n"),
    "test_always.py": "def test_always(): assert False, 'always'\n",
    "test_hangs.py": "import pytest, time\n@pytest.mark.timeout(2)\ndef test_hangs():\n    while True: time.sleep(1)\n",
    # It hangs once, and its module is run again beside one that waits for just that.
    "test_hangs_once.py": (
        "import pathlib, pytest, time\n"
        "@pytest.mark.timeout(2)\n"
        "def test_hangs_once():\n"
        "    seen = pathlib.Path(__file__).with_name('again')\n"
        "    if pathlib.Path(__file__).with_name('hung').exists(): return seen.touch()\n"
        "    pathlib.Path(__file__).with_name('hung').touch()\n"
        "    while True: time.sleep(1)\n"),
    "test_waits.py": (
        "import pathlib, time\n"
        "def test_waits():\n"
        "    while not pathlib.Path(__file__).with_name('again').exists(): time.sleep(0.1)\n"),
    "test_crashes.py": "import os\ndef test_crashes(): os._exit(3)\n",
    "test_broken.py": "import there_is_no_such_module\n",
    "test_leaves.py": (
        "import pathlib, subprocess\n"
        "def test_leaves():\n"
        "    left = subprocess.Popen(['sh', '-c', 'sleep 600; true'], start_new_session=True)\n"
        "    pathlib.Path(__file__).with_suffix('.pid').write_text(str(left.pid))\n"),
    "test_class.py": (
        "import pytest\n"
        "def test_class(): pass\n"
        "class TestIt:\n"
        "    @pytest.mark.parametrize('what', [1])\n"
        "    def test_it(self): pass\n"),
    "test_quits.py": (
        "import os\n"
        "def test_quits():\n"
        "    assert 'PYTEST_XDIST_WORKER' not in os.environ\n"
        "    os._exit(1)\n"),
    "test_worker.py": (
        "import os\n"
        "def test_worker():\n"
        "    if 'PYTEST_XDIST_WORKER' in os.environ: os._exit(3)\n"),
    "test_skips.py": "import pytest\ndef test_skips(): pytest.skip('not today')\n",
    LAST: (
        "import os, pathlib\n"
        "def test_pages():\n"
        "    assert any(pathlib.Path(os.environ['SOGLIA_VISITED']).iterdir()), 'no page was visited'\n"),
    "test_visits.py": (
        "import os, pathlib\n"
        "def test_visits(): pathlib.Path(os.environ['SOGLIA_VISITED'], str(os.getpid())).write_text('/')\n"),
}


def runs(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


def self_test():
    """Plants stories, and holds against them what a run says."""
    cases = [  # modules, which of them are vital, what stood in the file, is it well, words that must be said
        (["test_well.py", "test_visits.py", LAST], [], "", True, ["3 passed, 0 failed, 0 unsteady"]),
        (["test_well.py", LAST], [], "", False, ["no page was visited", "1 failed", "Run one of them"]),
        (["test_well.py", "test_once.py", "test_visits.py", LAST], [], "", True, ["3 passed, 0 failed, 1 unsteady", "the first time"]),
        (["test_well.py", "test_once.py"], ["test_once.py"], "", False, ["1 passed, 1 failed, 0 unsteady"]),
        (["test_once.py"], [], "2026-01-01T00:00:00Z abc test_once.py::test_once x\n", False, ["is listed in"]),
        (["test_well.py", "test_always.py"], [], "", False, ["1 passed, 1 failed, 0 unsteady"]),
        (["test_well.py", "test_hangs.py"], [], "", False, ["1 passed, 1 failed, 0 unsteady", "Timeout"]),
        (["test_waits.py", "test_hangs_once.py"], [], "", True, ["1 passed, 0 failed, 1 unsteady", "Timeout"]),
        (["test_well.py", "test_hangs_once.py"], ["test_hangs_once.py"], "", False, ["1 passed, 1 failed, 0 unsteady", "Timeout"]),
        (["test_well.py", "test_crashes.py"], [], "", False, ["1 passed, ", "crashed"]),
        (["test_well.py", "test_broken.py"], [], "", False, ["there_is_no_such_module"]),
        (["test_well.py", "test_leaves.py"], [], "", False, ["outlived its story"]),
        (["test_leaves.py", "test_waits.py", "test_hangs_once.py"], [], "", False, ["outlived its story (first)", "1 unsteady"]),
        (["test_well.py", "test_class.py"], [], "", False, ["test_class.py::TestIt", "0 unsteady"]),
        (["test_class.py", "test_once.py"], [], "", False, ["test_class.py::TestIt", "1 unsteady"]),
        (["test_well.py", "test_quits.py"], [], "", False, ["0 unsteady"]),
        (["test_well.py", "test_worker.py"], [], "", False, ["crashed", "0 unsteady"]),
        (["test_well.py", "test_skips.py"], [], "", False, ["skipped: test_skips.py"]),
        (["test_once.py"], [], "<<<<<<< one\n", False, ["malformed"]),
    ]
    # What other tests need of pytest takes longer to load than these take.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    with tempfile.TemporaryDirectory(prefix="stories-") as place:
        place = pathlib.Path(place)
        for number, (modules, vital, before, is_well, words) in enumerate(cases):
            folder = place / str(number)
            folder.mkdir()
            (folder / "pytest.ini").write_text("[pytest]\ntimeout = 20\naddopts = -p no:cacheprovider -p xdist.plugin -p pytest_timeout -p together\n")
            for module in modules:
                (folder / module).write_text(PLANTS[module])
            unsteady = folder / "unsteady.txt"
            unsteady.write_text(before)
            with (folder / "said").open("w+", encoding="utf-8") as output:
                run = Run(folder, folder / "work", vital=set(vital), unsteady=unsteady, processes=2, limit=600, output=output)
                answer = run.judge([module for module in modules if module != LAST], is_whole=LAST in modules)
                output.seek(0)
                said = output.read()
            missing = [word for word in words if word not in said]
            if left := list(folder.glob("*.pid")):
                missing += [f"the end of {pid}" for pid in (path.read_text() for path in left) if runs(pid)]
            if answer != is_well or missing:
                sys.exit(f"stories: self-test: {modules}, vital {vital}: well is {answer}, not said: {missing}\n{said}")
            listed = unsteady.read_text() != before
            if listed != (LAST in modules and re.search(r"[1-9]\d* unsteady$", said.strip()) is not None):
                sys.exit(f"stories: self-test: {modules}: the file of unsteady stories: {unsteady.read_text()}")
    print(f"stories: self-test: {len(cases)} planted runs, each judged as it should be")


def main():
    parser = argparse.ArgumentParser(description="Runs the stories in several processes at once.")
    parser.add_argument("modules", nargs="*", help="test_bus.py …; all unless told")
    parser.add_argument("--processes", type=int, choices=range(1, 17), metavar="1-16", default=PROCESSES, help="at once")
    parser.add_argument("--seconds", action="store_true", help="write down what each module took")
    parser.add_argument("--self-test", action="store_true", help="plant stories, and hold against them what is said of each")
    arguments = parser.parse_args()
    # A signal other than that of Ctrl-C ends what this run started too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(143))
    if arguments.self_test:
        return self_test()
    there = {path.name for path in STORIES.glob("test_*.py")}
    modules = [pathlib.Path(name).name.removesuffix(".py") + ".py" for name in arguments.modules] or sorted(there - {LAST})
    if LAST in modules:
        sys.exit(f"stories: {LAST} counts what all others saw: run them all")
    if unknown := (set(modules) | VITAL | {LAST}) - there:
        sys.exit(f"stories: there is no {', '.join(sorted(unknown))}")
    program = os.environ.get("SOGLIA", str(ROOT / ".build/debug/soglia"))
    if not os.access(program, os.X_OK):
        sys.exit(f"stories: there is no program {program}: swift build --build-tests, or name one by SOGLIA")
    # Two runs in one checkout would read each other's reports.
    checkout = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(checkout, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("stories: another run of the stories is under way in this checkout")
    run = Run(
        STORIES, ROOT / ".build/stories", vital=VITAL, unsteady=ROOT / "Tests/unsteady.txt", processes=arguments.processes,
        limit=SOAK_LIMIT if os.environ.get("SOGLIA_SOAK") else LIMIT, commit=commit_now())
    try:
        is_well = run.judge(modules, is_whole=not arguments.modules)
    except KeyboardInterrupt:
        sys.exit(130)
    if arguments.seconds and is_well and not arguments.modules:
        (STORIES / "seconds.json").write_text(
            json.dumps({name: round(seconds) for name, seconds in sorted(run.taken.items())}, indent=1) + "\n")
    sys.exit(0 if is_well else 1)


main()
