#!/usr/bin/env bash
# Feeds every parser of bytes from outside with what nobody would write, guided by what each input reaches (libFuzzer, which is in
# the toolchain).
#
#   Scripts/fuzz.sh               every target, FUZZ_SECONDS each (2)
#   Scripts/fuzz.sh NAME…         those targets
#   FUZZ_ONLY=build               no further than the build; FUZZ_BUILT=yes goes on from there
#   FUZZ_QUICK=yes                not optimised: built in half the time, and slower then; for a second each, not for a campaign
#
# What was found interesting is kept in .build-fuzz/corpus and is where the next run begins. An input that breaks something is left
# in .build-fuzz/found: make it a test of its room, then mend.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=.build-fuzz
seconds=${FUZZ_SECONDS:-2}
optimised=(-Xswiftc -O)
if [[ -n ${FUZZ_QUICK:-} ]]; then optimised=(-debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2); fi
# Optimised for speed, with the checks of a debug build. The handler of Swift's crashes would take the place of the fuzzer's.
export SOGLIA_FUZZ=1 SWIFT_BACKTRACE=enable=no
[[ -n ${FUZZ_BUILT:-} ]] || swift build --scratch-path "$scratch" --product fuzz -Xswiftc -sanitize=fuzzer "${optimised[@]}"
if [[ ${FUZZ_ONLY:-} == build ]]; then exit 0; fi
fuzz="$scratch/debug/fuzz"

names=("$@")
if [[ ${#names[@]} == 0 ]]; then
    list=$("$fuzz" list)
    [[ -n $list ]]
    mapfile -t names <<<"$list"
fi
mkdir -p "$scratch/found"

feed() { # target
    local corpus="$scratch/corpus/$1" count
    mkdir -p "$corpus"
    "$fuzz" seeds "$1" "$corpus"
    if ! "$fuzz" "$1" "$corpus" -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=2048 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$scratch/found/$1-" >"$scratch/$1.log" 2>&1; then
        tail -40 "$scratch/$1.log" >&2
        printf 'fuzz: %s broke; the input is in %s/found\n' "$1" "$scratch" >&2
        return 1
    fi
    count=$(awk '/stat::number_of_executed_units/ { print $2 }' "$scratch/$1.log")
    if ((${count:-0} == 0)); then
        printf 'fuzz: %s was fed nothing\n' "$1" >&2
        return 1
    fi
    printf 'fuzz: %-16s %9s inputs\n' "$1" "$count"
}

# Two at a time; the first that breaks ends the rest.
for name in "${names[@]}"; do
    while (($(jobs -rp | wc -l) >= 2)); do wait -n; done
    feed "$name" &
done
while (($(jobs -p | wc -l))); do wait -n; done
