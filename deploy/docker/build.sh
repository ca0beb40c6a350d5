#!/usr/bin/env bash
# Builds the images of the services and prints `export AUTH_IMAGE=…` and so on for `eval`. Packages are installed here and not in the
# build, so that the registry is the one that npm is set to. `build.sh auth` builds that one only.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Each folder of services/, the gateway, and the command line.
declare -A workspaces=([gateway]=gateway [caseway]=deploy/caseway)
for folder in services/*; do workspaces[$(basename "$folder")]=$folder; done
services=("$@")
[ $# = 0 ] && services=("${!workspaces[@]}")
# Without it the Dockerfile's own, which is named by its digest.
base=(${NODE_IMAGE:+--build-arg "NODE_IMAGE=$NODE_IMAGE"})
tag=${IMAGE_TAG:-$(git describe --always --dirty 2>/dev/null || echo latest)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Says nothing unless it fails.
quietly() { "$@" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; echo "$1 $2 failed" >&2; return 1; }; }

# What nobody reads in a container, and Prisma's engines for other databases.
prune() {
  find "$1/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
  find "$1/node_modules/@prisma/client/runtime" -name 'query_compiler_*' -not -name '*.postgresql.*' -delete 2>/dev/null || true
}

# The processor of the engine, in Node's word.
case $(docker version --format '{{.Server.Arch}}') in arm64) cpu=arm64 ;; *) cpu=x64 ;; esac

filters=()
for service in "${services[@]}"; do filters+=("--filter=./${workspaces[$service]}"); done
quietly npm run build -- bundle "${filters[@]}"
for service in "${services[@]}"; do
  context=$work/$service
  from=$SECONDS
  node deploy/docker/context.mjs "${workspaces[$service]}" "$context"
  cp .npmrc "$context"
  (cd "$context" && quietly npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --os=linux "--cpu=$cpu" --libc=glibc)
  node deploy/docker/bill-of-materials.mjs "${workspaces[$service]}" "$context" >"$context/sbom.cdx.json"
  prune "$context"
  rm "$context/.npmrc"
  cp deploy/docker/healthy.mjs "$context"
  quietly docker build --force-rm --tag "caseway/$service:$tag" "${base[@]}" --build-arg "WORKSPACE=${workspaces[$service]}" \
    --file deploy/docker/Dockerfile "$context"
  name=${service//-/_}
  echo "$service: $((SECONDS - from)) s" >&2
  echo "export ${name^^}_IMAGE=caseway/$service:$tag"
done
