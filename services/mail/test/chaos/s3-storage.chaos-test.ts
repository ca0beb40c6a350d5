import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startS3 } from '@caseway/install/s3/server.mjs'
import { office } from '@caseway/kit/database'
import { s3BlobStore } from '@caseway/kit/s3'
import { grpcAddressVariable } from '@caseway/registry'
import { fakeFiles } from '@caseway/testing/fake-files'
import { testService } from '@caseway/testing/service'
import { expect, it } from '@jest/globals'
import { threadedMailParser } from '../../src/parsing/threaded-mail-parser.client.js'
import { mail } from '../../src/wiring.js'
import { arrived, newMailbox, officeWithMail, receiver, store } from '../support/mailbox.js'

const source = Buffer.from(
  [
    ...['From: a@caseway.test', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'Hello', '--b'],
    ...['Content-Type: text/plain', 'Content-Disposition: attachment; filename=a.txt', '', 'An attachment', '--b--', ''],
  ].join('\r\n'),
)

it('the bytes of messages and of attachments are in the bucket, and are 503 while it is away', async () => {
  const home = await mkdtemp(join(tmpdir(), 'caseway-s3-'))
  const s3 = await startS3({ home, bucket: 'mail', secretAccessKey: randomBytes(16).toString('hex') })
  const files = await fakeFiles()
  const parser = threadedMailParser(1)
  const storage = {
    ...{ MAIL_S3_ENDPOINT: s3.endpoint, MAIL_S3_BUCKET: s3.bucket, MAIL_S3_TIMEOUT_MS: '20000' },
    ...{ MAIL_S3_ACCESS_KEY_ID: s3.accessKeyId, MAIL_S3_SECRET_ACCESS_KEY: s3.secretAccessKey, MAIL_FOLDER: join(home, 'none') },
  }
  const service = await testService(mail, { variables: { MAIL_ROLES: 'http', [grpcAddressVariable('files')]: files.address, ...storage } })
  const engine = receiver(service.database)
  try {
    const here = officeWithMail(service)
    const box = await newMailbox(engine, here, here.expert.userId)
    const { endpoint, bucket: name, accessKeyId, secretAccessKey } = s3
    const bucket = s3BlobStore({ endpoint, bucket: name, accessKeyId, secretAccessKey, region: 'us-east-1', timeoutMs: 20_000 })
    const message = { ...arrived(box, 'CLIENTS'), parsed: await parser.message(Buffer.from(source)), size: source.length }
    await bucket.put(message.blobKey, source)
    await store(engine, box, message)
    const { id } = await engine.db
      .read(office(here.customerId))
      .mailReceivedMessage.findFirstOrThrow({ where: { blobKey: message.blobKey } })
    const path = `/mail_received_mysql_message/${id}`
    const http = service.asExpert(here.expert)

    expect((await http.get(`${path}/source`)).text).toBe(source.toString())
    expect((await http.get(`${path}/attachment/0`)).text).toBe('An attachment')
    const objects = join(home, 'data', 'mail')
    expect(await readdir(objects)).toHaveLength(2)
    expect(await readdir(home)).not.toContain('none')

    await rename(objects, `${objects}-away`)
    expect((await http.get(`${path}/source`)).status).toBe(503)
    expect((await http.get(`${path}/attachment/0`)).status).toBe(503)
    expect((await http.get(path)).status).toBe(200)
  } finally {
    await engine.db.close()
    await service.stop()
    await Promise.all([files.stop(), parser.close(), s3.stop()])
    await rm(home, { recursive: true })
  }
})
