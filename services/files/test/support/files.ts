import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, type HttpClient } from '@caseway/testing'
import { type TestService, type TestServiceOptions, testService } from '@caseway/testing/service'
import { files } from '../../src/wiring.js'

export interface Files extends TestService<{ rescan(since: Date): Promise<number> }> {
  /** Where the service keeps the bytes. */
  readonly folder: string
}

export async function startFiles({ variables, ...options }: TestServiceOptions = {}): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-files-'))
  const running = await testService(files, { ...options, variables: { FILES_FOLDER: folder, ...variables } })
  return {
    ...{ ...running, folder },
    async stop() {
      await running.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** The form of an upload. */
export function formOf(content: string | Uint8Array<ArrayBuffer>, name = 'letter.txt', fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([content]), name)
  return form
}

/** Uploads a file and gives its id. */
export async function upload(http: HttpClient, ...form: Parameters<typeof formOf>): Promise<number> {
  const { status, text, body } = await http.post<{ id: number }>('/common_file', formOf(...form))
  if (status !== 201) throw new Error(text)
  return body.id
}

interface Meta {
  readonly CommonFile: { readonly virus_scan_status: string; readonly virus_scan_error: string | null } & Record<string, unknown>
}

/** The record of a file, when it has been scanned. */
export const scanned = (http: HttpClient, id: number): Promise<Meta['CommonFile']> =>
  eventually(async () => {
    const { body } = await http.get<Meta>(`/common_file/${id}?meta=1`)
    if (body.CommonFile.virus_scan_status === 'pending') throw new Error('The file has not been scanned yet.')
    return body.CommonFile
  })
