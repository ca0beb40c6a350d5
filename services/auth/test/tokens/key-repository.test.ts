import { randomBytes } from 'node:crypto'
import { createDatabase } from '@caseway/kit/database'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { createSecrets } from '@caseway/kit/secrets'
import { testDatabase } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { PrismaClient } from '../../src/generated/client.js'
import { keyRepository } from '../../src/keys/key.repository.js'
import { keyRing } from '../../src/keys/key-ring.service.js'

it('the key set is built once for each change, and a private key is decrypted once, however often the keys are read', async () => {
  const database = await testDatabase({ name: 'auth' })
  const log = createLog({ service: 'auth', level: 'silent' })
  const db = createDatabase({ url: database.url, client: PrismaClient, log, metrics: createMetrics('auth') })
  const secret = randomBytes(32).toString('base64')
  const { open, ...sealer } = createSecrets('auth', { secret, secretPrevious: [] }).sealer('signing-keys')
  let opened = 0
  const counting = {
    ...sealer,
    open: (sealed: Uint8Array, identity: string) => {
      opened += 1
      return open(sealed, identity)
    },
  }
  const ring = keyRing({ keys: keyRepository(db, counting), rotationMs: 86_400_000, accessTokenMs: 900_000, log })
  await ring.start()
  const first = await ring.jwks()
  for (let i = 0; i < 5; i++) expect(await ring.jwks()).toBe(first)
  expect([first.keys.length, opened]).toEqual([1, 1])
  await ring.rotate()
  const second = await ring.jwks()
  expect(await ring.jwks()).toBe(second)
  expect([second.keys.length, opened]).toEqual([2, 2])
  await ring.stop()
  await db.close()
  await database.drop()
})
