import { channelCredentials, createGrpcClient, type GrpcClient } from '@caseway/kit/grpc'
import { createLog } from '@caseway/kit/observability'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { ScanServiceClient, type ScanServiceService } from '@caseway/protos/files/v1/scans'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eicar, zip } from './support/archives.js'
import { type Files, startFiles } from './support/files.js'

let files: Files
let scans: GrpcClient<ScanServiceService>
beforeAll(async () => {
  files = await startFiles({ variables: { FILES_MAX_BYTES: '1000000' } })
  const credentials = channelCredentials('plaintext', createLog({ service: 'test', level: 'silent' }))
  scans = createGrpcClient(ScanServiceClient, { address: files.service.grpcAddress, serverName: 'files', credentials })
})
afterAll(async () => {
  scans.close()
  await files.stop()
})

async function* inChunks(bytes: Buffer, chunkBytes: number) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield { chunk: bytes.subarray(at, at + chunkBytes) }
}
const scan = (bytes: Buffer, chunkBytes = 40) => scans.scan(inChunks(bytes, chunkBytes))

describe('a scan for another service', () => {
  it('detects the same as a scan of an upload, also in an archive', async () => {
    const infected = { status: ScanStatus.INFECTED, error: 'Eicar-Test-Signature' }
    expect(await scan(Buffer.from('Hello'))).toEqual({ status: ScanStatus.OK, error: '' })
    expect(await scan(Buffer.alloc(0))).toEqual({ status: ScanStatus.OK, error: '' })
    expect(await scan(Buffer.from(eicar))).toEqual(infected)
    expect(await scan(await zip({ 'a.txt': eicar }))).toEqual(infected)
    expect(await scan(Buffer.from('PK\x03\x04 and no archive'))).toMatchObject({ status: ScanStatus.FAILED, error: expect.any(String) })
  })

  it('refuses content that is larger than a file may be', async () => {
    expect(await scan(Buffer.alloc(1_000_000), 65_536)).toMatchObject({ status: ScanStatus.OK })
    await expect(scan(Buffer.alloc(1_000_001), 65_536)).rejects.toMatchObject({ kind: 'too-large' })
  })

  it('stores nothing', async () => {
    await scan(Buffer.from('Hello'))
    expect(await files.database.rows('SELECT FROM common_files')).toEqual([])
  })
})
