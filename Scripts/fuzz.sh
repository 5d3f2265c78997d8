#!/usr/bin/env bash
# Feeds every parser of bytes from outside with what nobody would write, guided by what each input reaches (libFuzzer, which is in
# the toolchain).
#
#   Scripts/fuzz.sh               every target, FUZZ_SECONDS each (2)
#   Scripts/fuzz.sh NAME…         those targets
#
# What was found interesting is kept in .build-fuzz/corpus and is where the next run begins. An input that breaks something is left
# in .build-fuzz/found: make it a test of its room, then mend.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=.build-fuzz
seconds=${FUZZ_SECONDS:-2}
# Optimised for speed, with the checks of a debug build. The handler of Swift's crashes would take the place of the fuzzer's.
export SOGLIA_FUZZ=1 SWIFT_BACKTRACE=enable=no
[[ -n ${FUZZ_BUILT:-} ]] || swift build --scratch-path "$scratch" --product fuzz -Xswiftc -sanitize=fuzzer -Xswiftc -O
fuzz="$scratch/debug/fuzz"

names=("$@")
if [[ ${#names[@]} == 0 ]]; then mapfile -t names < <("$fuzz" list); fi
mkdir -p "$scratch/found"
for name in "${names[@]}"; do
    corpus="$scratch/corpus/$name"
    mkdir -p "$corpus"
    "$fuzz" seeds "$name" "$corpus"
    if ! "$fuzz" "$name" "$corpus" -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=2048 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$scratch/found/$name-" >"$scratch/$name.log" 2>&1; then
        tail -40 "$scratch/$name.log" >&2
        printf 'fuzz: %s broke; the input is in %s/found\n' "$name" "$scratch" >&2
        exit 1
    fi
    printf 'fuzz: %-16s %9s inputs\n' "$name" "$(awk '/stat::number_of_executed_units/ { print $2 }' "$scratch/$name.log")"
done
