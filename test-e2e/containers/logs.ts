import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { repository } from '../support/platform.js'

const folder = join(repository, '.caseway', 'containers')

/** Writes the log of a container of the last run into `.caseway/containers/<name>.log`. */
export function logOf(name: string): (stream: Readable) => void {
  mkdirSync(folder, { recursive: true })
  const file = createWriteStream(join(folder, `${name}.log`))
  return (stream) => void stream.pipe(file)
}
