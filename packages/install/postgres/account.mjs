import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'

const idOf = (name) => {
  try {
    const ask = (what) => Number(execFileSync('id', [what, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}

/**
 * The account that runs PostgreSQL, because it refuses to run as root: `owner` owns its files, and `command` wraps a program and its arguments to run
 * under that account. If the account cannot enter a private folder, such as /root, on the path to `program` or `dataDir`, it gets the one capability
 * that permits this (capabilities(7), setpriv(1)).
 */
export function postgresAccount(program, dataDir) {
  if (process.getuid?.() !== 0) return { owner: undefined, command: (file, args) => ({ file, args, account: {} }) }

  const account = ownerOf(dataDir) ?? idOf('postgres') ?? idOf('nobody')
  if (!account) throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody: use an ordinary user.')
  const closed = closedFolder(account, [program, dirname(dataDir)])
  if (!closed) return { owner: account, command: (file, args) => ({ file, args, account }) }

  const privileges = [
    ...[`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'],
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'],
  ]
  if (spawnSync('setpriv', [...privileges, 'test', '-x', program], { stdio: 'ignore' }).status !== 0) {
    throw new Error(`PostgreSQL does not run as root, and no other user may enter ${closed}: open it (chmod o+x) or use an ordinary user.`)
  }
  return { owner: account, command: (file, args) => ({ file: 'setpriv', args: [...privileges, file, ...args], account: {} }) }
}

/** The account that has run it before, if any. */
function ownerOf(dataDir) {
  if (!existsSync(dataDir)) return undefined
  const { uid, gid } = statSync(dataDir)
  return uid === 0 ? undefined : { uid, gid }
}

/** The first folder on `paths` that `account` may not enter. */
function closedFolder(account, paths) {
  const stepsTo = (path) => path.split(sep).map((_, end, names) => names.slice(0, end + 1).join(sep) || sep)
  const mayEnter = (path) => spawnSync('test', ['-x', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
  return paths
    .filter((path) => !mayEnter(path))
    .flatMap(stepsTo)
    .find((step) => !mayEnter(step))
}
