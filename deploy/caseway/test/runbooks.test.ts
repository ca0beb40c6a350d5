import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { Command } from 'commander'
import { createProgram } from '../src/program.js'

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')

const leaves = (command: Command, path: readonly string[] = []): string[] =>
  command.commands.length > 0 ? command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()])) : [path.join(' ')]
const commands = leaves(createProgram({ env: {}, out: () => undefined, err: () => undefined }))

const runbooks = [...read('deploy/observability/alerts.yml').matchAll(/- alert: (\w+)\n[\s\S]*? runbook: (.*)/g)].map(
  ([, alert, runbook]) => [alert as string, runbook as string],
)

describe('the runbooks', () => {
  it.each(['docs/operations.md', 'deploy/observability/alerts.yml', 'deploy/caseway/README.md', 'deploy/kubernetes/README.md'])(
    '%s contains only existing commands',
    (file) => {
      const named = [...read(file).matchAll(/(?:npm run caseway --|^caseway) ([a-z-]+ [a-z-]+)/gm)].map(([, command]) => command)
      expect(named.length).toBeGreaterThan(2)
      expect(named.filter((command) => !commands.includes(command ?? ''))).toEqual([])
    },
  )

  // Row-level security is also forced on the owner of the tables, so a statement without a scope finds no rows.
  it.each(runbooks)('after %s contain no SQL on a table of a service', (_, runbook) => {
    expect(runbook).not.toMatch(/\b(SELECT|UPDATE|DELETE)\b.*\b(FROM|SET)\b/)
  })
})
