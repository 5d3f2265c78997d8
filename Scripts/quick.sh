#!/usr/bin/env bash
# What changed, tested in some minutes: the rooms that it concerns, and as many of their stories as go into that time.
# SOGLIA names the program. Not the whole proof: that is `make test`, and `.ci/run`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset SOGLIA_ROOMS

# Since origin/main; on origin/main itself or without one: what is not committed, and where everything is, the last commit.
if [[ -z ${BASE:-} && $(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD) == "$(git rev-parse HEAD)" ]]; then
    BASE=HEAD
    [[ -n $(git status --porcelain -- ':!Tests/unsteady.txt') ]] || BASE=HEAD~1
    export BASE
fi
rooms=$(Scripts/changed.py rooms)
list=$(Scripts/changed.py stories)
stories=()
[[ -z $list ]] || mapfile -t stories <<<"$list"
if [[ -z $rooms && ${#stories[@]} == 0 ]]; then
    echo "quick: nothing that a test covers changed since ${BASE:-origin/main}"
    exit 0
fi
echo "quick: since ${BASE:-origin/main}: rooms ${rooms:-none}; stories ${stories[*]:-none}"
swift build --build-tests
if [[ $rooms == all ]]; then
    swift test --skip-build
elif [[ -n $rooms ]]; then
    swift test --skip-build --filter "^(${rooms//,/|})Tests\\."
fi
((${#stories[@]} == 0)) || Scripts/stories.py "${stories[@]}"
