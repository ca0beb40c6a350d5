import { EventEmitter } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { channelCredentials, createGrpcClient, type GrpcClient } from '@caseway/kit/grpc'
import { createLog } from '@caseway/kit/observability'
import { ContentServiceClient, type ContentServiceService, type ReadContentResponse } from '@caseway/protos/files/v1/contents'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { FileBytes } from '../src/common-files/common-file.js'
import { contentGrpc } from '../src/downloads/content.grpc.js'
import { type Files, scanned, startFiles, upload } from './support/files.js'

let files: Files
let contents: GrpcClient<ContentServiceService>
beforeAll(async () => {
  files = await startFiles()
  const credentials = channelCredentials('plaintext', createLog({ service: 'test', level: 'silent' }))
  contents = createGrpcClient(ContentServiceClient, { address: files.service.grpcAddress, serverName: 'files', credentials })
})
afterAll(async () => {
  contents.close()
  await files.stop()
})

async function read(customerId: bigint, id: number | bigint) {
  const parts: ReadContentResponse['part'][] = []
  for await (const { part } of contents.readContent({ customerId, commonFileId: BigInt(id) })) parts.push(part)
  const [head, ...chunks] = parts
  return { head, bytes: Buffer.concat(chunks.map((part) => (part?.$case === 'chunk' ? part.value : Buffer.alloc(0)))) }
}

describe('the bytes of a file, for another service', () => {
  it('are sent completely, after its name, type and size', async () => {
    const { customerId, trainee } = files.office()
    const http = files.asExpert(trainee)
    const sent = Buffer.alloc(300_000, 'abcdefg')
    const id = await upload(http, sent, 'letter.txt')
    await scanned(http, id)
    const { head, bytes } = await read(customerId, id)
    expect(head).toEqual({ $case: 'head', value: { name: 'letter.txt', mime: 'text/plain', sizeBytes: 300_000n } })
    expect(bytes.equals(sent)).toBe(true)
  })

  it('are not found where the file belongs to another office, or does not exist', async () => {
    const here = files.office()
    const http = files.asExpert(here.trainee)
    const id = await upload(http, 'a')
    await scanned(http, id)
    await expect(read(files.office().customerId, id)).rejects.toMatchObject({ kind: 'not-found' })
    await expect(read(here.customerId, randomId())).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('are refused unless its scan is `ok`, and where the storage has lost them', async () => {
    const { customerId, trainee } = files.office()
    const http = files.asExpert(trainee)
    const id = await upload(http, 'a')
    await scanned(http, id)
    await files.database.rows("UPDATE common_files SET virus_scan_status = 'infected' WHERE id = $1", [id])
    await expect(read(customerId, id)).rejects.toMatchObject({ kind: 'conflict', code: 'FILE_NOT_CLEAN' })
    await files.database.rows("UPDATE common_files SET virus_scan_status = 'ok' WHERE id = $1", [id])
    const blobs = (await readdir(files.folder)).filter((name) => name !== 'incoming')
    for (const name of blobs) await rm(join(files.folder, name), { recursive: true })
    await expect(read(customerId, id)).rejects.toMatchObject({ kind: 'conflict', code: 'FILE_NOT_EXISTS' })
  })

  it('are closed when the caller cancels before the first chunk', async () => {
    const content = Readable.from([Buffer.alloc(10)])
    const file = { name: 'a', mime: 'text/plain', sizeBytes: 10 } as FileBytes
    const { readContent } = contentGrpc({ find: async () => file, open: async () => content })
    const call = Object.assign(new EventEmitter(), {
      ...{ request: { customerId: 1n, commonFileId: 1n }, cancelled: true },
      write: () => call.emit('cancelled'),
    })
    readContent(call as never)
    await eventually(() => expect(content.destroyed).toBe(true))
  })
})
