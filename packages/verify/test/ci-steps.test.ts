import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '../../..')
const steps = join(root, '.ci/steps.sh')

/**
 * A fake npm: `npm run --silent <script> -- …` ends as the name of the script says, and writes the results that Jest would write. `unstable` fails
 * only the first time.
 */
const npm = `#!/usr/bin/env bash
for argument; do case $argument in --outputFile=*) file=\${argument#*=} ;; esac; done
results() {
  [ -z "\${file:-}" ] || echo "{ \\"numPassedTests\\": $1, \\"numFailedTests\\": $2, \\"numRuntimeErrorTestSuites\\": 0, \\"testResults\\": [
    { \\"name\\": \\"$3\\", \\"status\\": \\"$4\\", \\"message\\": \\"\\", \\"assertionResults\\": [{ \\"status\\": \\"$4\\", \\"fullName\\": \\"a test\\", \\"failureMessages\\": [\\"wrong\\\\n    in detail\\"] }] }] }" >"$file"
}
case $3 in
  good*) results 3 0 "$3.test.ts" passed ;;
  bad) results 5 2 bad.test.ts failed; exit 1 ;;
  unstable) results 4 1 unstable.test.ts failed; [ -z "\${file:-}" ] ;;
  crashing) exit 139 ;;
  meeting-*) touch "$MEETING/$3"; for _ in {1..200}; do [ "$(ls "$MEETING" | grep -c meeting-)" = 2 ] && results 1 0 "$3.test.ts" passed && exit; sleep 0.05; done; exit 1 ;;
esac
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-steps-'))
  program('npm', npm)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes an executable file into the folder in which the steps run. */
function program(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  chmodSync(join(folder, path), 0o755)
}

/** Runs steps, and then `finish`. */
function run(commands: string) {
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status, stdout } = spawnSync('bash', ['-c', `. "${steps}"; ${commands}; finish`], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PATH, MEETING: folder },
  })
  return { status, lines: stdout.trim().split('\n') }
}

describe('the closing line of .ci/run', () => {
  it.each([
    ['tests good', '3 passed, 0 failed', 0],
    ['tests bad', '5 passed, 2 failed', 1],
    ['tests unstable', '5 passed, 0 failed', 0],
    ['tests crashing', '0 passed, 1 failed', 1],
    ['tests good; together good-1 good-2', '9 passed, 0 failed', 0],
    ['tests good; together good-1 bad', '11 passed, 2 failed', 1],
    ['tests bad; together good-1 unstable', '13 passed, 2 failed', 1],
    ['together crashing good-1', '3 passed, 1 failed', 1],
  ])('after "%s" is "%s"', (commands, closing, code) => {
    const { status, lines } = run(commands)
    expect({ status, closing: lines.at(-1) }).toEqual({ status: code, closing })
  })

  it.each([
    ['tests bad', '5 passed, 2 failed'],
    ['together good-1 bad', '8 passed, 2 failed'],
  ])('follows the names of the tests that failed in "%s"', (commands, closing) => {
    const { lines } = run(commands)
    expect(lines.slice(lines.indexOf('What failed:'))).toEqual([
      'What failed:',
      '  npm run bad, which ended with 1',
      '  bad.test.ts: a test: wrong in detail',
      closing,
    ])
  })

  it('counts a suite beside others that left no result as a failure', () => {
    const { status, lines } = run('tests() { [ "$1" = gone ] && exit 1; passed=$((passed + 3)); }; together good-1 gone')
    expect({ status, lines }).toEqual({
      status: 1,
      lines: ['What failed:', '  npm run gone, which left no result', '3 passed, 1 failed'],
    })
  })
})

describe('together', () => {
  it('runs the suites at the same time, and prints them one after the other', () => {
    const { status, lines } = run('together meeting-1 meeting-2')
    expect(lines.map((line) => line.replace(/\d+ s$/, '… s'))).toEqual([
      'meeting-1: 1 passed, 0 failed, … s',
      'meeting-2: 1 passed, 0 failed, … s',
      '2 passed, 0 failed',
    ])
    expect(status).toBe(0)
  })
})

describe('temporary', () => {
  it('puts temporary files in memory where there is room, for all users', () => {
    const { lines } = run('temporary 0; stat --format "%n %a" "$TMPDIR"; rm -r "$inMemory"')
    expect(lines[0]).toMatch(/^\/dev\/shm\/ci\.\w{4} 1777$/)
  })

  it('leaves them where they are without room', () => {
    expect(run('TMPDIR=before; temporary 1000000; echo "$TMPDIR"').lines[0]).toBe('before')
  })
})

describe('containers', () => {
  const steps = 'engine=engine; containers; echo "$AUTH_IMAGE"'
  const script = (line: string) => `#!/usr/bin/env bash\n${line}\n`
  beforeEach(() => {
    program('engine/engine.sh', script('[ "$1" = start ]'))
    program('engine/base-images.sh', script('echo export POSTGRES_IMAGE=stand-in'))
    program('deploy/docker/build.sh', script('echo "export AUTH_IMAGE=auth-on-$POSTGRES_IMAGE"'))
  })

  it.each([
    ['public images where they can be pulled', 0, 'auth-on-'],
    ['its own images elsewhere', 1, 'auth-on-stand-in'],
  ])('builds the images of the services once, for all tests, on %s', (_, pulled, images) => {
    program('docker', script(`exit ${pulled}`))
    expect(run(steps)).toEqual({ status: 0, lines: [images, '0 passed, 0 failed'] })
  })

  it('counts an engine that does not start as a failure', () => {
    program('engine/engine.sh', script('exit 1'))
    expect(run(steps)).toMatchObject({ status: 1, lines: expect.arrayContaining(['  the Docker Engine', '0 passed, 1 failed']) })
  })
})
