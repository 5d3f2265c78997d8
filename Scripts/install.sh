#!/usr/bin/env bash
# Installs what Soglia needs beside Swift 6.3: Debian packages, and for the tests a Python environment in .venv.
# This file is the one list of everything installed. Called again with nothing missing it changes nothing, in well
# under a second.
#
#   Scripts/install.sh           everything, tests and benchmarks included (the same as --test)
#   Scripts/install.sh --demo    only what building and running the demo needs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What the build links, and the broker that a hub starts for itself, with the proxy by which other machines reach it.
demo_packages=(
    gcc git make pkg-config
    libcurl4-openssl-dev libgnutls28-dev libmicrohttpd-dev libmosquitto-dev libsodium-dev libsqlite3-dev libssl-dev zlib1g-dev
    libpng-dev libturbojpeg0-dev libwebp-dev tzdata
    libjs-leaflet
    haproxy mosquitto mosquitto-dev
)
# A browser, its engine alone, and the fonts that keep its pictures the same everywhere, tools that speak and load, and an OpenID provider
# that others wrote.
test_packages=(
    chromium chromium-headless-shell curl fonts-dejavu-core fonts-inter glewlwyd libnss3-tools mosquitto-clients openssl python3-venv wrk
)
python_packages=(
    aiosmtpd==1.4.6
    axe-playwright-python==0.1.8
    cryptography==50.0.2
    http-ece==1.2.1
    httpx==0.28.1
    paho-mqtt==2.2.0
    playwright==1.65.2
    prometheus-client==0.23.1
    pyjwt==2.15.1
    pytest==9.2.0
    pytest-timeout==2.4.0
    pytest-xdist==3.8.0
    schemathesis==4.32.5
)

case "${1:---test}" in
    --demo) wanted=("${demo_packages[@]}") level=demo ;;
    --test) wanted=("${demo_packages[@]}" "${test_packages[@]}") level=test ;;
    *) echo "usage: $0 [--demo | --test]" >&2; exit 2 ;;
esac
# The benchmarks compare with node, whichever one the machine has.
if [[ $level == test ]] && ! command -v node >/dev/null; then
    wanted+=(nodejs)
fi
# Glewlwyd wants somebody who sets up databases, and would bring MariaDB's client. Nobody will do, if nobody is there yet.
if [[ $level == test && "$(dpkg-query -W -f '/${db:Status-Status} ' dbconfig-{mysql,pgsql,sqlite3} 2>/dev/null || true)" \
    != *"/installed "* ]]; then
    wanted+=(dbconfig-no-thanks)
fi

say() { echo "install: $*"; }
fail() { echo "install: $*" >&2; exit 1; }

as_root() {
    if [[ $(id -u) == 0 ]]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        fail "installing Debian packages needs root, and there is no sudo. As root, run: $0"
    elif [[ ${CI:-} == true || ! -t 0 ]]; then
        sudo -n "$@" # nobody is there to type a password
    else
        sudo "$@"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@" </dev/null
}

retry() {
    local attempt
    for attempt in 1 2 3; do
        "$@" && return 0
        say "attempt $attempt failed: $1 ${2:-}"
        sleep $((attempt * 3))
    done
    return 1
}

missing_packages() {
    local installed package
    installed=" $(dpkg-query -W -f '${Package}/${db:Status-Status} ' "${wanted[@]}" 2>/dev/null || true)"
    for package in "${wanted[@]}"; do
        [[ $installed == *" $package/installed "* ]] || echo "$package"
    done
}

# Debian starts a service as soon as it is installed, and again at each boot. Soglia starts a broker of its own, on
# loopback, with passwords; one that nobody asked for on port 1883 would only be in the way. The tests start the
# provider that they ask. So: no service starts while we install, and an HAProxy, Mosquitto or Glewlwyd that came with us is not
# enabled. One that was there before is left alone.
policy=/usr/sbin/policy-rc.d
forbid_services() {
    [[ -e $policy ]] && return 1
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null && as_root chmod 755 "$policy"
}

do_not_enable() {
    if command -v systemctl >/dev/null; then
        as_root systemctl disable --quiet "$1.service" || say "$1.service stays enabled"
    else
        as_root update-rc.d "$1" disable || say "the $1 service stays enabled"
    fi
}

# Glewlwyd's package asks how the machine's own instance is to be set up: not at all. Where Debian's documentation is
# left out (as in small images) it then fails for want of an example, unless it finds a file.
decline_configuration() {
    [[ -e /etc/glewlwyd/glewlwyd.conf ]] && return 0
    echo "glewlwyd glewlwyd/config_type select No configuration" | as_root debconf-set-selections
    as_root mkdir -p /etc/glewlwyd
    echo "# The tests of Soglia start instances of their own, each with a file of its own." \
        | as_root tee /etc/glewlwyd/glewlwyd.conf >/dev/null
}

install_packages() {
    local missing=("$@") policy_is_ours=no service
    say "Debian packages missing: ${missing[*]}"
    if forbid_services; then
        policy_is_ours=yes
        trap 'as_root rm -f "$policy"' EXIT
    fi
    [[ " ${missing[*]} " != *" glewlwyd "* ]] || decline_configuration
    retry apt update || fail "apt-get update failed three times"
    retry apt install -y --no-install-recommends "${missing[@]}" || fail "apt-get install failed three times"
    if [[ $policy_is_ours == yes ]]; then
        as_root rm -f "$policy"
        trap - EXIT
    fi
    for service in haproxy mosquitto glewlwyd; do
        [[ " ${missing[*]} " != *" $service "* ]] || do_not_enable "$service"
    done
}

# Debian's own Python, so that a version manager in the PATH cannot make a .venv that breaks when it changes.
make_environment() {
    local stamp
    stamp=$({ cat Scripts/install.sh; /usr/bin/python3 --version; } | sha256sum | cut -d' ' -f1)
    [[ -f .venv/stamp && $(<.venv/stamp) == "$stamp" ]] && return 0
    say "Python packages into .venv: ${python_packages[*]}"
    rm -rf .venv
    /usr/bin/python3 -m venv .venv
    retry .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --use-pep517 --retries 5 \
        "${python_packages[@]}" </dev/null || fail "pip install failed three times"
    echo "$stamp" >.venv/stamp
}

[[ -r /etc/debian_version ]] || fail "this script knows Debian's package names only; the lists are at its top"
command -v swift >/dev/null || fail "Swift 6.3 is needed first: https://www.swift.org/install/linux/"

mapfile -t missing < <(missing_packages)
if ((${#missing[@]})); then
    install_packages "${missing[@]}"
fi
if [[ $level == test ]]; then
    make_environment
fi
