import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { type KafkaSecurity, type KafkaSettings, kafkaConnection } from '@caseway/kit/events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { broker } from './support.js'

const { security } = broker
if (security === 'plaintext') throw new Error('The broker of the tests has no TLS.')

const folder = mkdtempSync(join(tmpdir(), 'caseway-kafka-ca-'))
let foreignCa: string
beforeAll(async () => {
  foreignCa = (await writeCertificates(folder, { kafka: ['127.0.0.1'] })).kafka.caFile
})
afterAll(() => rmSync(folder, { recursive: true }))

async function topics(settings: KafkaSettings): Promise<string[]> {
  const admin = kafkaConnection({ ...settings, clientId: 'security', log }).admin({ retry: { retries: 0 } })
  try {
    await admin.connect()
    return await admin.listTopics()
  } finally {
    await admin.disconnect()
  }
}

describe('a broker with TLS and SCRAM', () => {
  it('serves an authenticated client', async () => {
    expect(await topics(broker)).toEqual(expect.any(Array))
  })

  it.each<[string, () => KafkaSecurity, RegExp]>([
    ['another password', () => ({ ...security, password: 'another' }), /[Aa]uthentication failed/],
    ['an unknown user', () => ({ ...security, username: 'nobody' }), /[Aa]uthentication failed/],
    ['plain text', () => 'plaintext', /[Cc]onnection|closed|timed? ?out/],
  ])('refuses %s', async (_, other, reason) => {
    await expect(topics({ ...broker, security: other() })).rejects.toThrow(reason)
  })

  it.each<[string, () => KafkaSecurity]>([
    ['of another authority', () => ({ ...security, caFile: foreignCa })],
    ['that no authority of Node signed', () => ({ ...security, caFile: undefined })],
  ])('gets no request when its certificate is one %s', async (_, other) => {
    await expect(topics({ ...broker, security: other() })).rejects.toThrow(/certificate|self-signed|unable to/)
  })
})
