import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { root } from '../run.mjs'

/** Checks that the README of each service, of the gateway and of the kit names every module, which is a folder of `src`. */
export async function modules(project = root) {
  const workspaces = globSync(['services/*', 'gateway', 'packages/kit'], { cwd: project }).sort()
  const problems = await Promise.all(workspaces.map((workspace) => unnamed(project, workspace)))
  return { problems: problems.flat() }
}

async function unnamed(project, workspace) {
  const document = join(workspace, 'README.md')
  const text = await readFile(join(project, document), 'utf8')
  return globSync(`${workspace}/src/*/`, { cwd: project })
    .map((folder) => basename(folder))
    .filter((name) => name !== 'generated' && !text.includes(`\`${name}\``) && !text.includes(`\`${name}/\``))
    .sort()
    .map((name) => `${document} does not name the module ${name}`)
}
