# The steps of .ci/run, which counts them, and its closing line. To be sourced.

results=$(mktemp -d)
passed=0
failed=0

# temporary <gigabytes>: keeps temporary files in memory where that many gigabytes are free. They are the data of databases and brokers: on a disk that other
# programs keep busy, tests with a bound on time would fail.
temporary() {
  local room
  room=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1)
  [ "${room:-0}" -ge "$1" ] || return
  inMemory=$(mktemp -d /dev/shm/ci.XXXX)
  # As that of /tmp: servers run as other users.
  chmod 1777 "$inMemory"
  export TMPDIR=$inMemory
}

# failures <what failed>…: named once more before the closing line, because the output of a long run is often kept from its end only
failures() {
  printf '%s\n' "$@" >>"$results/failures"
}

finish() {
  [ -s "$results/failures" ] && echo "What failed:" && sed 's/^/  /' "$results/failures"
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && exit 0
  exit 1
}

# packages <command>:<package of Debian that has it>…
packages() {
  local missing=() pair
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  [ "${#missing[@]}" -eq 0 ] && return
  echo "installing ${missing[*]}"
  { apt-get -o Acquire::Retries=3 update && DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install -y --no-install-recommends "${missing[@]}"; } >"$results/apt" 2>&1 ||
    { tail -20 "$results/apt"; failed=$((failed + 1)); failures "installing ${missing[*]}"; }
}

# npm was seen to wait without an end for a package that its cache has. It takes two minutes otherwise.
installed() {
  local try
  for try in 1 2; do
    timeout --kill-after=10 600 node packages/install/ensure-installed.mjs && return
    echo "installing has failed ($try of 2)"
  done
  failed=1
  failures "npm ci"
  finish
}

# A step that ends badly without naming what failed counts as one failure.
verify() {
  local held checks status
  npm run --silent verify 2>&1 | tee "$results/verify"
  status=${PIPESTATUS[0]}
  read -r held checks < <(sed -n 's/^\([0-9]*\) of \([0-9]*\) checks hold$/\1 \2/p' "$results/verify" | tail -n 1)
  passed=$((passed + ${held:-0}))
  failed=$((failed + ${checks:-0} - ${held:-0}))
  [ "$status" -eq 0 ] && return
  [ "${held:-0}" -eq "${checks:-0}" ] && failed=$((failed + 1))
  failures "npm run verify" "$(grep '^FAILED' "$results/verify")"
}

# tests <script of package.json>; nobody waits longer than an hour for one of them. Up to ten files that fail are run once more, one after the other: what
# passes then depended on the load of the machine, or on a file that had failed before it in the same process, and is named as unstable.
tests() {
  local good bad files startedAt=$SECONDS file="$results/${1//:/-}.json"
  timeout --kill-after=30 3600 npm run --silent "$1" -- --json --outputFile="$file"
  local status=$?
  read -r good bad files < <(counted "$file")
  if [ "${bad:-0}" -gt 0 ] && [ "$(wc -w <<<"$files")" -le 10 ]; then
    # shellcheck disable=SC2086
    timeout --kill-after=30 900 npm run --silent "$1" -- --coverage=false --runInBand $files
    status=$?
    if [ "$status" -eq 0 ]; then
      echo "$1: unstable, passed at the second run: $files"
      good=$((good + bad))
      bad=0
    fi
  fi
  passed=$((passed + ${good:-0}))
  failed=$((failed + ${bad:-0}))
  [ "$status" -ne 0 ] && [ "${bad:-0}" -eq 0 ] && failed=$((failed + 1))
  [ "$status" -ne 0 ] && failures "npm run $1, which ended with $status" "$(namesOfFailed "$file")"
  echo "$1: ${good:-0} passed, ${bad:-0} failed, $((SECONDS - startedAt)) s"
}

# together <script of package.json>…: runs them at the same time, which is for those that leave the processors idle for much of their time. The output of each
# is printed when all have ended; one that leaves no result counts as a failure.
together() {
  local name good bad
  for name in "$@"; do
    # A background process cannot change the counts of this shell, so it counts from zero and writes down what it has counted.
    (passed=0 failed=0; tests "$name" >"$results/${name//:/-}.log" 2>&1; echo "$passed $failed" >"$results/${name//:/-}.counts") &
  done
  wait
  for name in "$@"; do
    cat "$results/${name//:/-}.log"
    read -r good bad 2>/dev/null <"$results/${name//:/-}.counts" || { good=0; bad=1; failures "npm run $name, which left no result"; }
    passed=$((passed + good))
    failed=$((failed + bad))
  done
}

# counted <results of jest>: how many passed and failed, and the files with a failure
counted() {
  node -p '
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(require("fs").readFileSync(process.argv[1]))
    const files = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
    [numPassedTests, numFailedTests + numRuntimeErrorTestSuites, ...files].join(" ")' "$1" 2>/dev/null
}

# namesOfFailed <results of jest>: each test that failed and the beginning of its message, or the file that could not be run
namesOfFailed() {
  node -e '
    for (const { name, message, status, assertionResults } of JSON.parse(require("fs").readFileSync(process.argv[1])).testResults) {
      const failed = assertionResults.filter((test) => test.status === "failed");
      for (const test of failed) console.log(`${name}: ${test.fullName}: ${test.failureMessages[0]?.replace(/\s*\n\s*/g, " ").slice(0, 600)}`);
      if (status === "failed" && failed.length === 0) console.log(`${name}: ${message.trim().split("\n")[0]}`);
    }' "$1" 2>/dev/null
}

# A Docker Engine, with the public images where they can be pulled, and elsewhere with those that are built from packages; and the images of the services,
# which the tests would build at each of their runs.
containers() {
  local images
  "$engine/engine.sh" start || { failed=$((failed + 1)); failures "the Docker Engine"; return; }
  if ! timeout 60 docker pull --quiet node:24-bookworm-slim >/dev/null 2>&1; then
    images=$("$engine/base-images.sh") && eval "$images"
  fi
  images=$(deploy/docker/build.sh) && eval "$images"
}

# Prometheus's own tool tries the rules of the alerts. Its package would start a server, so only the tool is taken out of it.
alerts() {
  if ! command -v promtool >/dev/null; then
    (cd "$results" && apt-get -o Acquire::Retries=3 update -qq && apt-get -o Acquire::Retries=3 download -qq prometheus && dpkg -x prometheus_*.deb prometheus)
    PATH="$PATH:$results/prometheus/usr/bin"
  fi
  if npm run --silent check:alerts; then passed=$((passed + 1)); else failed=$((failed + 1)); failures "npm run check:alerts"; fi
}
