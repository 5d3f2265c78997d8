#!/usr/bin/env bash
# Runs the Swift tests under Thread Sanitizer and Address Sanitizer, each in a build of its own (.build-tsan, .build-asan).
#
#   Scripts/sanitize.sh                   both, every room
#   Scripts/sanitize.sh thread [build]    the one; "build" only builds
#
# SOGLIA_ROOMS=Store,Ledger: those rooms alone, also of the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kinds=(thread address)
if (($#)); then kinds=("$1"); shift; fi
only=${1:-}
if [[ ! " thread address " == *" ${kinds[0]} "* || ! " build " == *" ${only:-build} "* ]]; then
    echo "usage: $0 [thread | address] [build]" >&2
    exit 2
fi
# A module at a time costs a sixth less than a file at a time. Two threads, since without them SwiftPM's index of tests lacks files.
# Of what a debugger wants only the lines, which reports name.
cheaply=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -debug-info-format none -Xswiftc -gline-tables-only)
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
if [[ -n ${SOGLIA_ROOMS:-} ]]; then
    IFS=, read -ra rooms <<<"$SOGLIA_ROOMS"
else
    rooms=()
    for folder in Tests/*Tests; do folder=${folder#Tests/} && rooms+=("${folder%Tests}"); done
fi

# Two rooms at a time: slowed down as they are, all tests at once would wait for each other beyond what their waits allow.
run_room() { # room
    local log="$scratch/rooms/$1.log" began=$SECONDS count
    # No test may hang; the longest room takes two minutes.
    if ! LD_PRELOAD=$loaded timeout --foreground --kill-after=10 1200 "$scratch/debug/sogliaPackageTests.xctest" \
        --testing-library swift-testing "${skipped[@]}" --filter "^$1Tests\\." >"$log" 2>&1; then
        echo "✘ the tests of $1 failed" >>"$log"
    fi
    count=$(grep -ao 'Test run with [0-9]* tests\? in' "$log" | grep -o '[0-9]*' | tail -1 || true)
    if [[ -z $count || $count == 0 ]]; then echo "✘ no test of $1 ran" >>"$log"; fi
    printf 'sanitize: %-12s %4s tests, %4s s\n' "$1" "${count:-0}" "$((SECONDS - began))"
}

for kind in "${kinds[@]}"; do
    scratch=.build-${kind:0:1}san
    # Swift's own handler of crashes would come before the sanitizer's report.
    export SWIFT_BACKTRACE=enable=no
    # The tests and what they stand on, without the program.
    swift build --product BusGuard --sanitize="$kind" --scratch-path "$scratch" "${cheaply[@]}"
    swift build --product sogliaPackageTests --sanitize="$kind" --scratch-path "$scratch" "${cheaply[@]}"
    if [[ $only == build ]]; then continue; fi
    case $kind in
        thread)
            "$clang" -shared -fPIC -O1 -Wall -Werror Scripts/tsan-mutex.c -o "$scratch/tsan-mutex.so"
            loaded="$PWD/$scratch/tsan-mutex.so"
            # It turns vfork into fork: what a child finds out before exec never reaches the parent's memory, so these cannot hold.
            skipped=(--skip 'ChildTests/refused')
            export TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$PWD/Scripts/tsan.supp"
            ;;
        # Not what is left at the end: a thread's own executor lives as long as the process, on purpose.
        address) loaded= skipped=() TSAN_OPTIONS= && export ASAN_OPTIONS="detect_leaks=0 detect_stack_use_after_return=1" ;;
    esac
    rm -rf "$scratch/rooms" && mkdir -p "$scratch/rooms"
    for room in "${rooms[@]}"; do
        while (($(jobs -rp | wc -l) >= 2)); do wait -n || true; done
        run_room "$room" &
    done
    wait
    # What did not even come to write its log has not run.
    for room in "${rooms[@]}"; do
        grep -aq 'Test run with' "$scratch/rooms/$room.log" || echo "✘ no test of $room ran" >>"$scratch/rooms/$room.log"
    done
    if grep -aq '✘\|WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$scratch"/rooms/*.log; then
        grep -ahA40 'WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$scratch"/rooms/*.log | head -200 >&2 || true
        grep -a '✘' "$scratch"/rooms/*.log >&2 || true
        echo "sanitize: $kind: failed; the logs are in $scratch/rooms" >&2
        exit 1
    fi
    tests=$(grep -aoh 'Test run with [0-9]* tests\? in' "$scratch"/rooms/*.log | awk '{ sum += $4 } END { print sum + 0 }')
    echo "sanitize: $kind: $tests tests passed in ${#rooms[@]} rooms"
done
