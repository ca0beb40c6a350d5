import { readFileSync } from 'node:fs'
import type { Audience, Role } from '@caseway/kit/caller'

export interface Cell {
  audience: Audience
  method: string
  path: string
  role: Role
  allowed: boolean
}

const columns: Record<Audience, readonly Role[]> = {
  expert: ['administrator', 'expert', 'specialist', 'trainee', 'technical'],
  client: ['client'],
}

/** All cells of docs/roles.md, except those of public routes. */
export function roleCells(): Cell[] {
  const document = readFileSync(new URL('../../docs/roles.md', import.meta.url), 'utf8')
  const [, expert = '', client = ''] = document.split(/^### .*$/m)
  return [...cellsOf('expert', expert), ...cellsOf('client', client)]
}

function cellsOf(audience: Audience, table: string): Cell[] {
  const rows = [...table.matchAll(/^\| `(\w+) (\S+)`\s*\|(.*)\|$/gm)]
  return rows.flatMap(([, method = '', path = '', cells = '']) => {
    const marks = cells.split('|').map((cell) => cell.trim())
    return columns[audience].flatMap((role, index) =>
      marks[index] === 'public' ? [] : [{ audience, method, path, role, allowed: marks[index] === '✓' }],
    )
  })
}
