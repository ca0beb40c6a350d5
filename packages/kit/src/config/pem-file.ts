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

/** The path of a PEM file, which must be readable at the start. The value is the path: its users read the file, and read it again when it is replaced. */
export const pemFile = (options: Optional): Variable<string | undefined> =>
  variable('the path of a PEM file that can be read', (path) => (isPemFile(path) ? path : undefined), options)
