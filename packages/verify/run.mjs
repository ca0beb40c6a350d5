import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const binaries = join(root, 'node_modules', '.bin')

/** Runs a tool of this project, and resolves with its exit code and output. */
export function run(tool, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const PATH = binaries + delimiter + process.env.PATH
    const child = spawn(tool, args, {
      cwd,
      env: { ...process.env, PATH, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const out = []
    const err = []
    child.stdout.on('data', (chunk) => out.push(chunk))
    child.stderr.on('data', (chunk) => err.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }))
  })
}

/** A check that runs one command, whose output are the problems if it fails. */
export async function command(tool, args, options) {
  const { code, stdout, stderr } = await run(tool, args, options)
  if (code === 0) return { problems: [] }
  const said = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim())
  return { problems: said.length > 0 ? said : [`${tool} ended with ${code}`] }
}
