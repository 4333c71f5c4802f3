#!/usr/bin/env bash
# fresh.sh SUITE [TARGET ...]: run the README's commands in a bare Debian, as an ordinary user.
#
# The Debian has Python, its headers, make, gcc and git, and nothing else: no fonts, no browser, no curl. It is built
# with debootstrap once and kept as a tarball; every run unpacks it anew. The commands run in a chroot with its own
# processes, /proc, /dev, /dev/pts and /dev/shm. Of this machine they see the commit that is checked out, the settings
# of pip (with the certificates that they name) and how names are resolved.
#
# AS=root runs them as root. BUSY=2 keeps two processes busy meanwhile.
set -euo pipefail
suite=${1:?usage: fresh.sh SUITE [TARGET ...]}
shift
targets=("${@:-try}")
user=${AS:-someone}
repository=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
packages=python3,python3-venv,python3-dev,make,gcc,libc6-dev,git,ca-certificates

fail() {
    echo "make fresh: $*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root, to build a Debian and to change into it: sudo make fresh"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

if [ -z "${FRESH_ROOT:-}" ]; then
    # Everything that is mounted or started below ends with this namespace, however the run ends.
    FRESH_ROOT=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh-$suite.XXXXXX")
    export FRESH_ROOT
    trap 'rm -rf --one-file-system "$FRESH_ROOT"' EXIT
    unshare --mount --pid --fork --kill-child bash "$0" "$suite" "${targets[@]}"
    exit
fi

root=$FRESH_ROOT
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tamis
tarball=$cache/bare-$suite.tar
if [ -e "$tarball" ]; then
    tar -C "$root" -xf "$tarball"
else
    echo "fresh: build Debian $suite with debootstrap (once, a minute or two)"
    mkdir -p "$cache"
    mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/*.sources 2>/dev/null || true)
    # shellcheck disable=SC2086 # no mirror, no argument
    debootstrap --variant=minbase --include="$packages" "$suite" "$root" $mirror >"$tarball.log" 2>&1 ||
        fail "debootstrap failed: $(tail -n 3 "$tarball.log")"
    rm -rf "$root"/var/cache/apt/archives/*.deb
    tar -C "$root" -cf "$tarball.new" .
    mv "$tarball.new" "$tarball"
fi

chmod 755 "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 devices "$root/dev"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 terminals "$root/dev/pts"
mount -t tmpfs -o mode=1777 memory "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for stream in stdin:0 stdout:1 stderr:2; do
    ln -s "/proc/self/fd/${stream#*:}" "$root/dev/${stream%:*}"
done

cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
# Each setting as pip itself sees it, from files and from its environment: later lines hold. Folders of packages
# stay behind, since they are files of this machine.
python3 -m pip config list 2>/dev/null |
    sed -nE "/find-links|file:/d; s/^(global|install|:env:)\.([a-z-]+)='(.*)'$/\2 = \3/p" |
    awk -F ' = ' '{ value[$1] = $2 } END { print "[global]"; for (name in value) print name " = " value[name] }' \
        >"$root/etc/pip.conf"
certificates=$(sed -n 's/^cert = //p' "$root/etc/pip.conf")
[ -z "$certificates" ] || install -D -m 644 "$certificates" "$root/$certificates"

home=/root
if [ "$user" != root ]; then
    chroot "$root" useradd --create-home --shell /bin/bash "$user"
    home=$(chroot "$root" getent passwd "$user" | cut -d: -f6)
fi
git clone --quiet "$repository" "$root$home/tamis"
chroot "$root" chown -R "$user:" "$home/tamis"

for _ in $(seq "${BUSY:-0}"); do
    while :; do :; done &
done
for target in "${targets[@]}"; do
    echo "fresh: make $target in Debian $suite ($(chroot "$root" python3 --version), $user)"
    start=$SECONDS
    chroot "$root" su "$user" --command "cd $home/tamis && env -i HOME=$home PATH=/usr/bin:/bin LANG=C.UTF-8 make $target" \
        </dev/null || fail "make $target failed in Debian $suite"
    echo "fresh: make $target took $((SECONDS - start)) s"
done
