import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { imageVariable, serviceNames } from '@caseway/registry'

const build = fileURLToPath(new URL('../../deploy/docker/build.sh', import.meta.url))
const programs = [...serviceNames, 'gateway', 'caseway'].map(imageVariable)

/** Requires a Docker Engine, and builds the images of the services unless variables name them. */
export default function setUp() {
  try {
    execFileSync('docker', ['version'], { stdio: 'ignore' })
  } catch {
    throw new Error('No Docker Engine answers: start one (deploy/docker/README.md says how to get one on Debian).')
  }
  if (programs.every((name) => process.env[name])) return
  const lines = execFileSync(build, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  for (const [, name, image] of lines.matchAll(/^export (\w+)=(\S+)$/gm)) process.env[name] = image
}
