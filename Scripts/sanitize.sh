#!/usr/bin/env bash
# Runs the Swift tests under Thread Sanitizer and Address Sanitizer, each in a build of its own (.build-tsan, .build-asan).
#
#   Scripts/sanitize.sh            both
#   Scripts/sanitize.sh thread     the one
#
# What follows is handed to `swift test`: Scripts/sanitize.sh thread --filter StoreTests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kinds=(thread address)
if (($#)); then kinds=("$1"); shift; fi
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
    log=$scratch/sanitizer.log
    if ! LD_PRELOAD=$loaded swift test --skip-build --sanitize="$kind" --scratch-path "$scratch" "${skipped[@]}" "$@" \
        >"$log" 2>&1 \
        || grep -q 'WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$log"; then
        grep -A40 'WARNING: ThreadSanitizer\|ERROR: AddressSanitizer' "$log" | head -200 >&2 || true
        grep '✘' "$log" >&2 || true
        echo "sanitize: $kind found something; all of it is in $log" >&2
        exit 1
    fi
    echo "sanitize: $kind: $(grep -o 'Test run with .*' "$log" | tail -1)"
done
