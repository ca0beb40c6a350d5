import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.mjs'

const document = join('docs', 'security.md')

/** A reference to tests: a file, followed by parts of names of its tests in quotation marks. */
const proof = /`([\w@./-]+test\.ts)`(?:: “([^”]+)”((?:, “[^”]+”)*))?/g

/** Checks that every test to which docs/security.md refers exists. */
export async function proofs(project = root) {
  const path = join(project, document)
  if (!existsSync(path)) return { problems: [], skipped: `there is no ${document}` }
  const text = await readFile(path, 'utf8')
  const problems = await Promise.all([...text.matchAll(proof)].map((named) => look(project, named)))
  return { problems: problems.flat() }
}

async function look(project, [, file, first, others = '']) {
  if (!existsSync(join(project, file))) return [`${document}: there is no ${file}`]
  const names = [first ?? [], ...[...others.matchAll(/“([^”]+)”/g)].map(([, name]) => name)].flat()
  const source = await readFile(join(project, file), 'utf8')
  return names.filter((name) => !source.includes(name)).map((name) => `${document}: ${file} has no test “${name}”`)
}
