#!/usr/bin/env bash
# Builds the images of the programs and prints `export AUTH_IMAGE=…` and so on for `eval`. Packages are installed here and not in the image build, so
# that npm's configured registry is used. `build.sh auth` builds only that image.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The services, the gateway, and the command line.
declare -A workspaces=([gateway]=gateway [caseway]=deploy/caseway)
for folder in services/*; do workspaces[$(basename "$folder")]=$folder; done
services=("$@")
[ $# = 0 ] && services=("${!workspaces[@]}")
# Default: the image in the Dockerfile, which is pinned by digest.
base=(${NODE_IMAGE:+--build-arg "NODE_IMAGE=$NODE_IMAGE"})
tag=${IMAGE_TAG:-$(git describe --always --dirty 2>/dev/null || echo latest)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the output only on failure.
quietly() { "$@" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; echo "$1 $2 failed" >&2; return 1; }; }

# Files that are not needed in a container, and Prisma's engines for other databases.
prune() {
  find "$1/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
  find "$1/node_modules/@prisma/client/runtime" -name 'query_compiler_*' -not -name '*.postgresql.*' -delete 2>/dev/null || true
}

# The engine's processor architecture, as Node names it.
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
