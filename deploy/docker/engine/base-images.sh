#!/usr/bin/env bash
# Stand-ins for the public images, from packages, where no image can be pulled: builds those that are missing and prints
# `export NODE_IMAGE=…` and so on for `eval`. A tag is the hash of all that goes into an image, so one that exists is the right one.
set -euo pipefail
self=$(realpath "$0")
cd "$(dirname "$self")/images"

declare -A parent=([jre]=base [node]=base [postgres]=base [kafka]=jre [ryuk]=node)
# Each level needs the one before; within a level the slowest comes first.
levels=('base' 'jre postgres node' 'kafka ryuk')

tag() {
  local from=${parent[$1]:-}
  {
    if [ -n "$from" ]; then tag "$from"; fi
    find "$1" -type f -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum | sed -E "s#^(.{12}).*#caseway/$1:\1#"
}

# Brings into the context of an image what is not in this folder: jars, binaries, a root file system.
fetch() {
  mkdir "$work/$1"
  cp -r "$1/." "$work/$1"
  if [ -x "$1/fetch.sh" ]; then "./$1/fetch.sh" "$work/$1"; fi
}

build() {
  local from=${parent[$1]:-}
  docker build --force-rm --tag "$(tag "$1")" ${from:+--build-arg "BASE=$(tag "$from")"} "$work/$1"
}

# One step of one image, quiet unless it fails.
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
  # Fetching is mostly waiting, building is mostly computing.
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
# The name that testcontainers looks for.
echo "export RYUK_CONTAINER_IMAGE=$(tag ryuk)"
# A machine made from a container image still has this file, by which testcontainers would take it for a container and look for
# the others at the bridge's address. An engine whose folder is here runs here.
if [ -e /.dockerenv ] && [ -d "$(docker info --format '{{.DockerRootDir}}')" ]; then
  echo 'export TESTCONTAINERS_HOST_OVERRIDE=localhost'
fi
