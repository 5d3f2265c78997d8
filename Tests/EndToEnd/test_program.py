"""What the program is made of."""

import re
import subprocess

from demo import PROGRAM


def test_nothing_of_foundation_is_called_but_by_what_swiftpm_writes():
    """Released, the program is linked without Foundation: one call of it, and `make demo` builds no more. (A debug build has it.)"""
    wanted = subprocess.run(
        ["nm", "-D", "--undefined-only", PROGRAM], capture_output=True, text=True, timeout=60, check=True).stdout.split()
    assert any("soglia" in one or "swift" in one for one in wanted), "these are the symbols of a Swift program"
    foreign = {one for one in wanted if re.search(r"(?<!\d)10Foundation", one)}
    # How the accessor of a target's resources finds them.
    assert foreign <= {"$s10Foundation6BundleC4mainACvgZ", "$s10Foundation6BundleC4pathACSgSS_tcfC", "$s10Foundation6BundleCMa"}
