import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { repository } from './platform.js'

/** A copy of the project in another folder: sources, build output, and links to the installed packages. */
export interface ProjectCopy {
  readonly root: string
  /** Runs a command in the copy. @throws Error with its output when it fails */
  run(command: string, args: readonly string[], env?: Record<string, string>): Promise<string>
  remove(): void
}

const left = new Set(['.git', 'node_modules', '.turbo', '.caseway', '.stryker', 'coverage', 'artefacts'])

const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
const installed = ['node_modules', '{bench,gateway,protos,test-e2e}/node_modules', '{deploy,packages,services}/*/node_modules']

export function copyProject(): ProjectCopy {
  const root = mkdtempSync(join(tmpdir(), 'caseway-project-'))
  cpSync(repository, root, { ...options, filter: (path) => !left.has(basename(path)) })
  for (const folder of globSync(installed, { cwd: repository })) linkPackages(folder, root)
  // Shares the build cache, so that equal sources are not built again.
  mkdirSync(join(root, '.turbo'))
  symlinkSync(join(repository, '.turbo/cache'), join(root, '.turbo/cache'))
  return {
    root,
    run: (command, args, env = {}) => run(root, command, args, env),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Links to installed packages; links to workspaces point into the copy. */
function linkPackages(folder: string, root: string): void {
  mkdirSync(join(root, folder))
  for (const name of readdirSync(join(repository, folder))) {
    const path = join(folder, name)
    const isOurs = name === '@caseway' || name === '.package-lock.json'
    if (isOurs) cpSync(join(repository, path), join(root, path), options)
    else symlinkSync(join(repository, path), join(root, path))
  }
}

async function run(cwd: string, command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const PATH = [join(cwd, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  // Without the variables of this Jest run.
  const { NODE_OPTIONS, NODE_ENV, ...inherited } = process.env
  const child = spawn(command, args, { cwd, env: { ...inherited, PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}
