import type { DeclaredVariable } from '../config/index.js'
import type { Logger } from '../observability/index.js'

/** Logs a warning with the names of all variables `…_INSECURE` that are true, and so allow plain text. */
export function warnOfPlainText(declared: readonly DeclaredVariable[], env: NodeJS.ProcessEnv, log: Pick<Logger, 'warn'>): void {
  const allowing = declared.filter(({ name, variable }) => name.endsWith('_INSECURE') && variable.parse(env[name] ?? '') === true)
  const variables = [...new Set(allowing.map(({ name }) => name))]
  if (variables.length > 0) log.warn({ variables }, 'connections are in plain text, which these variables allow')
}
