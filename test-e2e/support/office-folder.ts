import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@caseway/registry'

type Row = Record<string, unknown>

/** Every file below a folder. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())

/** Access to the folder of an export. */
export const officeFolder = (folder: string) => {
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const lines = (path: string): Row[] =>
    text(path)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return {
    text,
    lines,
    /** The tables with their rows. */
    tables: () =>
      serviceNames.flatMap((service) =>
        readdirSync(join(folder, service))
          .filter((name) => name.endsWith('.ndjson'))
          .map((name) => ({ service, table: name.replace('.ndjson', ''), lines: lines(`${service}/${name}`) })),
      ),
  }
}
