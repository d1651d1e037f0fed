#!/bin/sh
# The two commands on a machine with nothing but Python, git, make and a shell.
#
#   clean_root.sh FOLDER [COMMAND ...]     as root, on Debian with debootstrap
#
# Makes such a machine in FOLDER once, gives it this machine's way to its package registries,
# clones the commit that is checked out into an empty home, runs `make certify` and `make test`
# (or the commands given) without a variable of this machine, and prints the seconds of each.
set -eu

folder=${1:?"usage: clean_root.sh FOLDER [COMMAND ...]"}
shift
repository=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
commit=$(git -C "$repository" rev-parse HEAD)
base=$folder/base root=$folder/root

if [ ! -e "$base/.complete" ]; then
  mkdir -p "$base"
  debootstrap --variant=minbase --include=ca-certificates,git,make,python3,python3-venv \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$base"
  : > "$base/.complete"
fi

mounted() { grep -o " $root[^ ]* " /proc/mounts | sort -r; }
leave() { for place in $(mounted); do umount --lazy "$place"; done; }
trap leave EXIT INT TERM
leave
rm -rf --one-file-system "$root"
cp -a "$base" "$root"

# The way to the registries: configuration, certificates, and folders that pip is told of.
rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d"
cp -a /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
for file in /etc/apt/sources.list /etc/apt/auth.conf /etc/resolv.conf /etc/pip.conf; do
  [ ! -e "$file" ] || cp -aL "$file" "$root$file"
done
echo "127.0.0.1 localhost" > "$root/etc/hosts"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
for keys in /usr/share/keyrings /etc/apt/trusted.gpg.d; do cp -a "$keys/." "$root$keys/"; done
mkdir -p "$root/root/.config" "$root/src"
[ ! -e "$HOME/.config/pip" ] || cp -a "$HOME/.config/pip" "$root/root/.config/"
settings=$(env | grep '^PIP_' || true)
for local in $(printf '%s\n' "$settings" | cat - /etc/pip.conf "$HOME"/.config/pip/pip.conf 2> /dev/null |
  grep -o '/opt/[^/ ]*' | sort -u); do
  [ -d "$local" ] && mkdir -p "$root$local" && mount --bind -o ro "$local" "$root$local"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"
git clone --quiet --bare "$repository" "$root/src/selo.git"

within() {
  # shellcheck disable=SC2086 # settings of pip hold no spaces
  env -i $settings PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CI=true \
    chroot "$root" sh -c "$1"
}

echo "commands there: $(within 'ls /usr/bin /usr/sbin | wc -l'), $(within 'python3 --version')"
within "git clone --quiet /src/selo.git ~/selo && cd ~/selo && git checkout --quiet $commit"
[ $# -gt 0 ] || set -- 'make certify' 'make test'
failed=0
for command; do
  echo "== $command"
  began=$(date +%s) code=0
  within "cd ~/selo && $command" || code=$?
  echo "== $command: exit $code after $(($(date +%s) - began)) s"
  [ "$code" = 0 ] || failed=1
done
exit "$failed"
