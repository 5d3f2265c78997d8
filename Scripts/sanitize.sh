#!/usr/bin/env bash
# Runs the Swift tests under Thread Sanitizer and Address Sanitizer, each in a build of its own (.build-tsan, .build-asan).
#
#   Scripts/sanitize.sh            both
#   Scripts/sanitize.sh thread     the one
#
# What follows is which tests, as patterns of `swift test --filter`: Scripts/sanitize.sh thread StoreTests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kinds=(thread address)
if (($#)); then kinds=("$1"); shift; fi
failed=0
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang

for kind in "${kinds[@]}"; do
    scratch=.build-${kind:0:1}san
    # Swift's own handler of crashes would come before the sanitizer's report.
    export SWIFT_BACKTRACE=enable=no
    swift build --build-tests --sanitize="$kind" --scratch-path "$scratch"
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
        *) echo "usage: $0 [thread | address]" >&2; exit 2 ;;
    esac
    targets=("$@")
    if (($# == 0)); then
        for folder in Tests/*Tests; do targets+=("^${folder#Tests/}\\."); done
    fi
    log=$scratch/sanitizer.log
    : >"$log"
    # One target after the other: slowed down as they are, all tests at once would wait for each other beyond what their waits allow.
    passed=0
    for target in "${targets[@]}"; do
        if ! LD_PRELOAD=$loaded swift test --skip-build --sanitize="$kind" --scratch-path "$scratch" "${skipped[@]}" \
            --filter "$target" >"$scratch/target.log" 2>&1; then
            failed=1
        fi
        cat "$scratch/target.log" >>"$log"
        count=$(grep -ao 'Test run with [0-9]* tests\? in' "$scratch/target.log" | grep -o '[0-9]*' | tail -1 || true)
        if [[ -z $count || $count == 0 ]]; then
            echo "✘ no test of $target ran" >>"$log"
            failed=1
        fi
        passed=$((passed + ${count:-0}))
    done
    if ((failed)) || grep -aq 'WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$log"; then
        grep -aA40 'WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$log" | head -200 >&2 || true
        grep -a '✘' "$log" >&2 || true
        echo "sanitize: $kind found something; all of it is in $log" >&2
        exit 1
    fi
    echo "sanitize: $kind: $passed tests passed in ${#targets[@]} runs"
done
