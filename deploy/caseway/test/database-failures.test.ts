import { databaseUrlVariable } from '@caseway/registry'
import { holdTransaction } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { caseway, type Installation, installation } from './support/installation.js'

let there: Installation
beforeAll(async () => {
  there = await installation()
})
afterAll(() => there.drop())

it('a statement time-out is reported with the variable that extends it', async () => {
  const { customer_id } = await there.office()
  const held = await holdTransaction(there.auth, 'LOCK TABLE customers')
  const env = { ...there.env, AUTH_POOL_STATEMENT_TIMEOUT_MS: '200', AUTH_POOL_LOCK_TIMEOUT_MS: '60000' }
  const { code, err } = await caseway(env, 'office', 'data', '--office', customer_id)
  await held.commit()
  expect(code).toBe(1)
  expect(err).toMatch(/^A statement exceeded its timeout: .*<SERVICE>_POOL_STATEMENT_TIMEOUT_MS/)
})

it('an unreachable database is reported as unreachable', async () => {
  const env = { ...there.env, [databaseUrlVariable('auth')]: 'postgresql://auth:x@127.0.0.1:1/auth' }
  expect(await caseway(env, 'office', 'data', '--office', '1')).toMatchObject({
    code: 1,
    err: 'A database, service or storage that the command needs does not answer, or is full: is the platform running?',
  })
})

it('a refused password is reported as such', async () => {
  const url = new URL(there.env[databaseUrlVariable('auth')] ?? '')
  url.password = 'wrong'
  const env = { ...there.env, [databaseUrlVariable('auth')]: url.href }
  expect(await caseway(env, 'office', 'data', '--office', '1')).toMatchObject({
    code: 1,
    err: 'A database refused the password in <SERVICE>_DATABASE_URL: it may have been changed since the command line got its variables.',
  })
})
