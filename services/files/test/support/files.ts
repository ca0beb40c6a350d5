import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, type HttpClient } from '@caseway/testing'
import { type FakeObjects, fakeObjects } from '@caseway/testing/fake-objects'
import { type TestService, type TestServiceOptions, testService } from '@caseway/testing/service'
import { files } from '../../src/wiring.js'

export interface Files extends TestService<{ rescan(since: Date): Promise<number> }> {
  /** The folder in which the service stores the bytes. */
  readonly folder: string
  /** The fake owner of the objects to which files are attached. */
  readonly owner: FakeObjects
}

export async function startFiles({ variables, ...options }: TestServiceOptions = {}): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'caseway-files-'))
  const owner = await fakeObjects()
  const mail = await fakeObjects(['MailSentMysqlMessage', 'MailReceivedMysqlMessage'], owner.objects)
  const cards = await fakeObjects(['CompanyCard'], owner.objects)
  const defaults = {
    FILES_FOLDER: folder,
    [grpcAddressVariable('cases-and-counters')]: owner.address,
    [grpcAddressVariable('mail')]: mail.address,
    [grpcAddressVariable('company-card')]: cards.address,
  }
  const running = await testService(files, { ...options, variables: { ...defaults, ...variables } })
  return {
    ...{ ...running, folder, owner },
    async stop() {
      await running.stop()
      await Promise.all([owner, mail, cards].map((one) => one.stop()))
      await rm(folder, { recursive: true })
    },
  }
}

/** The blobs that the service has stored. */
export const storedBlobs = async ({ folder }: Pick<Files, 'folder'>) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

/** The form of an upload. */
export function formOf(content: string | Uint8Array<ArrayBuffer>, name = 'letter.txt', fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([content]), name)
  return form
}

/** Uploads a file and returns its id. */
export async function upload(http: HttpClient, ...form: Parameters<typeof formOf>): Promise<number> {
  const { status, text, body } = await http.post<{ id: number }>('/common_file', formOf(...form))
  if (status !== 201) throw new Error(text)
  return body.id
}

interface Meta {
  readonly CommonFile: { readonly virus_scan_status: string; readonly virus_scan_error: string | null } & Record<string, unknown>
}

/** Resolves to the record of a file when its scan has ended. */
export const scanned = (http: HttpClient, id: number): Promise<Meta['CommonFile']> =>
  eventually(
    async () => {
      const { body } = await http.get<Meta>(`/common_file/${id}?meta=1`)
      if (body.CommonFile.virus_scan_status === 'pending') throw new Error('The file has not been scanned yet.')
      return body.CommonFile
    },
    { timeoutMs: 30_000 },
  )

export const link = (http: HttpClient, fileId: number, name: string, objectId: bigint) =>
  http.post<{ id: number }>('/common_file_object', {
    CommonFileObject: { common_file_id: String(fileId), object_name: name, object_id: String(objectId) },
  })

/** Attaches a file and returns the id of the link. */
export async function attach(...sent: Parameters<typeof link>): Promise<number> {
  const { status, text, body } = await link(...sent)
  if (status !== 201) throw new Error(text)
  return body.id
}

/** Downloads a file without decoding the bytes as text. */
export async function download(files: Files, id: number, token: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${files.service.httpUrl}/expert/rest/common_file/${id}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: answer.status, headers: answer.headers, content: Buffer.from(await answer.arrayBuffer()) }
}
