#!/usr/bin/env bash
# Compiles Wire as Embedded Swift, for a browser (wasm32) and for a lock's chip (armv6m), as firmware and web app will use it.
#
# The server's build accepts everything; only this one tells when something came into Wire that has no place there: an existential,
# an untyped `throws`, Foundation. What compiles may still drag in a library: comparing a String brings tables of Unicode of 50 kB.
# So every symbol that is left for others to bring is held against the short list of what a linker script may promise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=.build/embedded
mkdir -p "$out"
common=(
    -enable-experimental-feature Embedded -swift-version 6 -enable-upcoming-feature ExistentialAny -warnings-as-errors
    -module-name Wire -wmo -parse-as-library -Osize -Xfrontend -disable-stack-protector
)
memory='posix_memalign|free|memcpy|memmove|memset|memcmp'
# Dictionaries and sets hash with a seed of chance.
chance='arc4random_buf'
wasm='__indirect_function_table|__memory_base|__stack_pointer|__table_base'
# The compiler's own helpers, which a chip without division and atomics needs (libgcc or compiler-rt has them).
arm='__aeabi_[a-z]+[0-9]*|__atomic_[a-z_]+_4|__clzsi2'

compile() { # name, allowed symbols, more of the compiler's options
    local name=$1 allowed=$2 object="$out/wire-$1.o" foreign
    shift 2
    swiftc "${common[@]}" "$@" Sources/Wire/*.swift -c -o "$object"
    foreign=$(llvm-nm -u "$object" | awk '{ print $2 }' | grep -Evx "$allowed" || true)
    if [[ -n $foreign ]]; then
        printf 'embedded: %s: Wire now wants from outside:\n%s\n' "$name" "$foreign" >&2
        return 1
    fi
    printf 'embedded: Wire for %s, %s bytes of object code\n' "$name" "$(stat -c %s "$object")"
}

# The toolchain's own, wherever it is installed.
PATH=$(dirname "$(readlink -f "$(command -v swiftc)")"):$PATH
compile wasm32 "$memory|$chance|$wasm" -target wasm32-unknown-none-wasm
compile armv6m "$memory|$chance|$arm" -target armv6m-none-none-eabi -Xcc -mcpu=cortex-m0 -Xcc -ffreestanding \
    -Xfrontend -function-sections
