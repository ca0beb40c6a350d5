import { readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../verify/run.mjs'

/** Runs a tool of the project. @throws Error with its output when it fails */
async function mustRun(tool, args) {
  const { code, stdout, stderr } = await run(tool, args)
  if (code !== 0) throw new Error(`${[tool, ...args].join(' ')} failed:\n${stdout}${stderr}`)
}

/** The version of a package that other services depend on. */
export function versionOf(name) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'services/auth/package.json'), 'utf8'))
  return { ...dependencies, ...devDependencies }[name]
}

export async function format({ service }) {
  await mustRun('biome', ['check', '--write', `services/${service}`, 'packages/registry', 'deploy'])
  return 'formatted'
}

/** Adds the workspace to the lockfile and to node_modules. It needs only installed packages, so no registry is called. */
export async function installWorkspace({ service }) {
  await mustRun('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'])
  await mustRun(process.execPath, ['packages/install/complete-lock.mjs'])
  symlinkSync(`../../services/${service}`, join(root, 'node_modules/@caseway', service))
  // `packages/install/ensure-installed.mjs` compares this time with that of the lockfile.
  const now = new Date()
  utimesSync(join(root, 'node_modules/.package-lock.json'), now, now)
  return 'package-lock.json'
}

/** Builds the service and its dependencies; everything else is built when it is started. */
export async function build({ service }) {
  await mustRun('turbo', ['run', 'generate', 'build', `--filter=@caseway/${service}`, '--output-logs=errors-only'])
  return 'built'
}

/** Updates the configuration tables in the READMEs of the service and the gateway, and `docs/roles.md`. */
export async function writeDocuments() {
  await mustRun(process.execPath, ['packages/verify/documents.mjs', '--write'])
  return 'docs/roles.md and tables of configuration'
}

/** Writes the Kubernetes manifests of the new service. */
export async function writeManifests() {
  await mustRun('tsc', ['-b', 'deploy/kubernetes'])
  await mustRun(process.execPath, ['packages/verify/manifests.mjs', '--write'])
  return 'deploy/kubernetes'
}
