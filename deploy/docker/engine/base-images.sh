#!/usr/bin/env bash
# Builds replacements of the public images from packages, where no image can be pulled, and prints `export NODE_IMAGE=…` and so on for `eval`. A tag
# is the hash of all inputs of an image, so an existing tag is up to date.
set -euo pipefail
self=$(realpath "$0")
cd "$(dirname "$self")/images"

declare -A parent=([jre]=base [node]=base [postgres]=base [kafka]=jre [ryuk]=node)
# Each level needs the previous one; within a level the slowest build comes first.
levels=('base' 'jre postgres node' 'kafka ryuk')

tag() {
  local from=${parent[$1]:-}
  {
    if [ -n "$from" ]; then tag "$from"; fi
    find "$1" -type f -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | sed -E "s#^(.{12}).*#caseway/$1:\1#"
}

# Adds files to the build context that are not in this folder: jars, binaries, a root file system.
fetch() {
  mkdir "$work/$1"
  cp -r "$1/." "$work/$1"
  if [ -x "$1/fetch.sh" ]; then "./$1/fetch.sh" "$work/$1"; fi
}

build() {
  local from=${parent[$1]:-}
  docker build --force-rm --tag "$(tag "$1")" ${from:+--build-arg "BASE=$(tag "$from")"} "$work/$1"
}

# Runs one step of an image; prints its output only on failure.
step() {
  local from=$SECONDS
  if ! "$@" >"$work/$2.$1.log" 2>&1; then
    tail -30 "$work/$2.$1.log" >&2
    echo "$1 $2 failed" >&2
    return 255 # xargs starts no more
  fi
  echo "$1 $2: $((SECONDS - from)) s" >&2
}

if [ "${1:-}" = step ]; then
  step "$2" "$3"
  exit
fi

in_parallel() { xargs -r -n 1 -P "$1" "$self" step "$2"; }

missing=()
for level in "${levels[@]}"; do
  for name in $level; do
    docker image inspect "$(tag "$name")" >/dev/null 2>&1 || missing+=("$name")
  done
done

if [ ${#missing[@]} != 0 ]; then
  for tool in npm mvn debootstrap; do
    command -v "$tool" >/dev/null || { echo "$tool is needed to build the images" >&2; exit 1; }
  done
  work=$(mktemp -d)
  export work
  trap 'rm -rf "$work"' EXIT
  # Fetching is network-bound and building CPU-bound, so both run concurrently.
  printf '%s\n' "${missing[@]}" | in_parallel 4 fetch
  for level in "${levels[@]}"; do
    for name in $level; do
      case " ${missing[*]} " in *" $name "*) echo "$name" ;; esac
    done | in_parallel 2 build
  done
fi

for name in node postgres kafka; do
  echo "export ${name^^}_IMAGE=$(tag "$name")"
done
# The name that testcontainers expects.
echo "export RYUK_CONTAINER_IMAGE=$(tag ryuk)"
# A machine that was created from a container image still has this file, by which testcontainers assumes that it runs in a container and connects to
# the others at the bridge's address. An engine with its folder here runs on this machine.
if [ -e /.dockerenv ] && [ -d "$(docker info --format '{{.DockerRootDir}}')" ]; then
  echo 'export TESTCONTAINERS_HOST_OVERRIDE=localhost'
fi
