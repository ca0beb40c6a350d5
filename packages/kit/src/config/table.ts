import type { DeclaredVariable, Variable } from './variables.js'

/** A Markdown table with a row for each variable: name, default, meaning. */
export function configurationTable(rows: readonly DeclaredVariable[]): string {
  const lines = rows.map(({ name, variable }) => `| \`${name}\` | ${defaultOf(variable)} | ${meaningOf(variable)} |`)
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...lines].join('\n')
}

function defaultOf(variable: Variable<unknown>): string {
  if (variable.default === undefined) return variable.optional ? '–' : '*required*'
  if (Array.isArray(variable.default) && variable.default.length === 0) return '–'
  if (variable.secret) return '*secret*'
  return `\`${Array.isArray(variable.default) ? variable.default.join(',') : String(variable.default)}\``
}

function meaningOf({ help, expected }: Variable<unknown>): string {
  return `${help} (${expected})`.replaceAll('|', '\\|')
}
