import { AppError } from '../errors/index.js'

const word = /^[\w.-]{1,64}$/

/** What a trace shows of an error: its code or its class. Its message may hold anybody's data. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  if (error instanceof AppError || word.test(String(code ?? ''))) return String(code)
  return word.test(error.name) ? error.name : '_OTHER'
}
