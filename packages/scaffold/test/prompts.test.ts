import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from '@jest/globals'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const withoutTerminal = (...names: string[]) => {
  const argv = [path('../../../node_modules/plop/bin/plop.js'), '--no-progress', '--plopfile', path('../plopfile.mjs'), ...names]
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return { status, stderr: stripVTControlCharacters(stderr) }
}

it.each([
  ['a service', ['service'], 'npm run new:service -- <name>'],
  ['a resource', ['resource'], 'npm run new:resource -- <service> <Name>'],
  ['a resource of auth', ['resource', 'auth'], 'npm run new:resource -- <service> <Name>'],
])('%s without a name fails with one sentence if there is no terminal for a prompt', (_, names, command) => {
  expect(withoutTerminal(...names)).toEqual({ status: 1, stderr: `[ERROR] Nobody can be asked for a name here: say ${command}\n` })
})
