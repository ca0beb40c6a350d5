import { join } from 'node:path'
import { command, root, run } from '../run.mjs'

const protos = { cwd: join(root, 'protos') }

export const contractsLint = async () => {
  const { problems } = await command('buf', ['lint'], protos)
  if (problems.length > 0) return { problems }
  const { stdout } = await run('buf', ['format', '--diff'], protos)
  const files = [...stdout.matchAll(/^\+\+\+ (\S+)/gm)].map(([, file]) => file)
  return { problems: files.map((file) => `protos/${file}: not formatted (buf format -w)`) }
}

/** The protos may only be extended, because what is deployed uses those of main. */
export async function contractsAgainstMain() {
  const ref = await firstRef('main', 'origin/main')
  if (!ref) return { problems: [], skipped: 'there is no branch main here' }
  const { stdout } = await run('git', ['ls-tree', '-r', '--name-only', ref, 'protos'])
  if (!/\.proto$/m.test(stdout)) return { problems: [], skipped: 'main has no contracts yet' }
  const { stdout: commit } = await run('git', ['rev-parse', ref])
  return command('buf', ['breaking', '--against', `../.git#ref=${commit.trim()},subdir=protos`], protos)
}

async function firstRef(...names) {
  for (const name of names) {
    const { code } = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    if (code === 0) return name
  }
  return undefined
}
