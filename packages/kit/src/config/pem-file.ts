import { readFileSync } from 'node:fs'
import { type Optional, type Variable, variable } from './variables.js'

/** Whether this process can read the file, and it contains PEM (RFC 7468). */
export function isPemFile(path: string): boolean {
  try {
    return /^-----BEGIN [^-]+-----/m.test(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}

/** The path of a file in PEM, which has to be readable at the start already. Its contents are not kept: whoever uses the file reads it, and again when it is replaced. */
export const pemFile = (options: Optional): Variable<string | undefined> =>
  variable('the path of a PEM file that can be read', (path) => (isPemFile(path) ? path : undefined), options)
