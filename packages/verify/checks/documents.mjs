import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../run.mjs'
import { configurationOf } from '../sections/configuration.mjs'
import { rolesOf } from '../sections/roles.mjs'
import { sourceOf } from '../sections/source.mjs'

/** Every generated section of a document: its file, the name of its markers, and a function for its text. */
const places = (project) => [...configurations(project), ...roles(project), ...tag(project)]

const configurations = (project) =>
  workspaces(project, ['services/*/src/config.ts', 'gateway/src/config.ts', 'deploy/*/src/config.ts']).map((workspace) => ({
    file: join(workspace, 'README.md'),
    section: 'configuration',
    text: () => configurationOf(join(project, workspace)),
  }))

function roles(project) {
  const file = join('docs', 'roles.md')
  if (!existsSync(join(project, file))) return []
  const services = workspaces(project, ['services/*/src/wiring.ts']).map((workspace) => join(project, workspace))
  return [{ file, section: 'roles', text: () => rolesOf(services) }]
}

/** The sections of CONTRIBUTING.md that show the module of `Tag`. */
function tag(project) {
  const file = 'CONTRIBUTING.md'
  if (!existsSync(join(project, file))) return []
  const sources = ['tag.resource.ts', 'tag.service.ts', 'tag.repository.ts']
  const module = join(project, 'services/cases-and-counters/src/tags')
  return sources.map((source) => ({ file, section: source, text: () => sourceOf(join(module, source)) }))
}

const workspaces = (project, patterns) =>
  globSync(patterns, { cwd: project })
    .sort()
    .map((file) => dirname(dirname(file)))

/** Checks that the generated sections are up to date. */
export async function documents(project = root) {
  const looks = await Promise.all(places(project).map((place) => look(project, place)))
  return { problems: looks.flatMap(({ problem }) => problem ?? []) }
}

/**
 * Updates the generated sections, one after the other, because a document may have several. @returns problems of sections that could not be written
 */
export async function writeDocuments(project = root) {
  const problems = []
  for (const place of places(project)) {
    const { problem, write } = await look(project, place)
    if (write) await write()
    else if (problem) problems.push(problem)
  }
  return problems
}

async function look(project, { file, section, text }) {
  const path = join(project, file)
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  const after = filled(before, section, await text())
  if (after === undefined) return { problem: `${file} has no place <!-- ${section} --> <!-- /${section} -->` }
  if (after === before) return {}
  const problem = `${file} is behind the code in its ${section}: npm run docs`
  return { problem, write: () => writeFile(path, after) }
}

/** The document with `text` between the markers of `section`; undefined without these markers. */
function filled(document, section, text) {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`]
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) return undefined
  return `${document.slice(0, from)}${begin}\n\n${text}\n\n${document.slice(to)}`
}
