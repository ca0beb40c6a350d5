import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type ExportedFile, exportFolder } from '../office-export/export-folder.js'
import { header, manifest } from '../office-export/office-export.js'
import { Problem } from '../problem.js'

/** An export whose files are all present and match the manifest. */
export interface CompleteExport {
  /** SHA-256 of the manifest, which identifies the export. */
  readonly hash: Buffer<ArrayBuffer>
  readonly name: string
  readonly wasOpen: boolean
  /** The files with rows, by service and table. */
  readonly tables: readonly { readonly service: string; readonly table: string; readonly path: string }[]
  lines(path: string): AsyncIterable<string>
  /** Bytes of a service by their key, with their size; undefined where the export does not contain them. */
  blob(service: string, key: string): { readonly bytes: number; content(): Readable } | undefined
}

/** The file names that an export may contain. */
const known = /^(export\.json|(?<service>[a-z-]+)\/((?<table>[a-z_]+)\.ndjson|blobs\/[0-9a-f]{32}))$/

/** Checks an export. @throws Problem where a file is missing, or differs from the manifest */
export async function completeExport(path: string, progress: (text: string) => void): Promise<CompleteExport> {
  const folder = exportFolder(path)
  if (!(await folder.has(manifest))) throw new Problem(`The folder has no complete export: ${manifest} is missing.`)
  const files = new Map<string, ExportedFile>()
  for await (const line of folder.lines(manifest)) {
    const file = fileOf(line)
    await folder.hashed(file.path).then(
      ({ bytes, sha256 }) => {
        if (bytes !== file.bytes || sha256 !== file.sha256)
          throw new Problem(`${file.path} does not match its size and hash in ${manifest}.`)
      },
      (error) => {
        throw error.code === 'ENOENT' ? new Problem(`${file.path} is missing.`) : error
      },
    )
    files.set(file.path, file)
  }
  progress(`${files.size} files match ${manifest}`)
  const { format, name, state } = files.has(header) ? parsed(await folder.read(header), header) : {}
  if (format !== 1) throw new Problem('The format version of the export is not supported.')
  return {
    hash: createHash('sha256')
      .update(await folder.read(manifest))
      .digest(),
    ...{ name: String(name), wasOpen: state === 'open' },
    tables: [...files.keys()].flatMap((path) => {
      const { service, table } = known.exec(path)?.groups ?? {}
      return service && table ? [{ service, table, path }] : []
    }),
    lines: folder.lines,
    blob(service, key) {
      const file = files.get(`${service}/blobs/${key}`)
      return file && { bytes: file.bytes, content: () => folder.content(file.path) }
    },
  }
}

function fileOf(line: string): ExportedFile {
  const { path, bytes, sha256 } = parsed(line, manifest)
  if (typeof path !== 'string' || !known.test(path)) throw new Problem(`${manifest} lists a file that cannot belong to an export.`)
  return { path, bytes: Number(bytes), sha256: String(sha256) }
}

/** @throws Problem with the name of the file if the line is not a JSON object */
export function parsed(line: string, path: string): Record<string, unknown> {
  const value = jsonOf(line)
  if (typeof value !== 'object' || value === null) throw new Problem(`${path} has a line that is no JSON object.`)
  return value as Record<string, unknown>
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
