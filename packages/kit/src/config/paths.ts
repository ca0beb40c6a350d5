import { readdirSync, readFileSync } from 'node:fs'
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

function isFolder(path: string): boolean {
  try {
    readdirSync(path)
    return true
  } catch {
    return false
  }
}

/** The path of a folder, which must be readable at the start. */
export const folder = (options: Optional): Variable<string | undefined> =>
  variable('the path of a folder that can be read', (path) => (isFolder(path) ? path : undefined), options)
