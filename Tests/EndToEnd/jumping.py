"""A machine whose clock jumps: a library of our own stands between the program and the clock of the day (jumping_clock.c); time that
never jumps is left as it is."""

import os
import struct
import subprocess
from pathlib import Path

from demo import PROGRAM
from patience import PATIENCE

MINUTE, DAY = 60, 86_400


class Clock:
    """What the programs of one machine take for its clock."""

    def __init__(self, folder):
        library = Path(folder) / "jumping_clock.so"
        source = Path(__file__).with_name("jumping_clock.c")
        subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source], check=True)
        self.file = Path(folder) / "clock"
        self.file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_JUMP_FILE": str(self.file)}

    def jump(self, seconds):
        """How far it is from the real one."""
        with self.file.open("r+b") as file:
            os.pwrite(file.fileno(), struct.pack("=q", int(seconds)), 0)

    def confirm(self, data):
        """A person at the machine says that it is right as it is."""
        done = subprocess.run(
            [PROGRAM, "admin", "clock", "right", "--data", str(data)], env=os.environ | self.environment, capture_output=True,
            text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
