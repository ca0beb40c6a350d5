import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from '../outcome.js'
import type { Environment } from './environment.js'

const folder = fileURLToPath(new URL('../../../results/', import.meta.url))
const document = fileURLToPath(new URL('../../../../docs/performance.md', import.meta.url))
const [begin, end] = ['<!-- figures -->', '<!-- /figures -->']

/** Writes all results as JSON; returns the path of the file. */
export function keepResults(outcomes: readonly Outcome[], environment: Environment): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  writeFileSync(path, `${JSON.stringify({ environment, outcomes }, null, 2)}\n`)
  return path
}

/** Writes a CPU profile for DevTools; returns the path of the file. */
export function keepProfile(name: string, profile: object): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.cpuprofile`)
  writeFileSync(path, JSON.stringify(profile))
  return path
}

/** Writes the tables into docs/performance.md, between their markers. */
export function writeDocument(tables: string): void {
  const before = readFileSync(document, 'utf8')
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place ${begin} ${end}.`)
  writeFileSync(document, `${before.slice(0, from)}${begin}\n\n${tables}\n\n${before.slice(to)}`)
}
