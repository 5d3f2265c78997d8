"""How long tests wait."""

# How long a test waits for what must come, in seconds, before it says that it hangs. It proves nothing: machines are starved
# at times, and what must be quick is shown by logic instead (a reason code, the order of things).
PATIENCE = 60
