import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../run.mjs'

const folderOf = (project) => join(project, 'deploy/kubernetes')

/**
 * The generated files for Kubernetes.
 * @throws Error when deploy/kubernetes is not built
 */
async function declared(project) {
  const built = join(folderOf(project), 'dist/generated.js')
  if (!existsSync(built)) throw new Error('deploy/kubernetes is not built: npm run build')
  const { generatedFiles } = await import(pathToFileURL(built).href)
  return generatedFiles()
}

/** The first line of generated files. */
const mark = '# Written by npm run manifests'

/** The paths of the present generated files. */
const present = (project) =>
  globSync('{bases,components}/**/*.yaml', { cwd: folderOf(project) })
    .filter((file) => readFileSync(join(folderOf(project), file), 'utf8').startsWith(mark))
    .sort()

/** Checks the generated manifests against every version of Kubernetes, and against the policies. */
export async function policiesOfManifests(project = root) {
  const { generatedProblems } = await import(pathToFileURL(join(folderOf(project), 'dist/validation/validate.js')).href)
  return { problems: generatedProblems() }
}

/** Checks that the generated manifests in the repository are up to date. */
export async function manifests(project = root) {
  const expected = await declared(project)
  const missing = [...expected.keys()].filter((file) => !existsSync(join(folderOf(project), file)))
  const extra = present(project).filter((file) => !expected.has(file))
  const behind = []
  for (const [file, text] of expected) {
    if (!missing.includes(file) && (await readFile(join(folderOf(project), file), 'utf8')) !== text) behind.push(file)
  }
  const sentence = (what) => (file) => `deploy/kubernetes/${file} ${what}: npm run manifests`
  return {
    problems: [
      ...missing.map(sentence('is missing')),
      ...extra.map(sentence('follows from nothing that is declared')),
      ...behind.map(sentence('is behind the code')),
    ],
  }
}

export async function writeManifests(project = root) {
  const expected = await declared(project)
  for (const file of present(project)) if (!expected.has(file)) await rm(join(folderOf(project), file))
  for (const [file, text] of expected) {
    const path = join(folderOf(project), file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}
