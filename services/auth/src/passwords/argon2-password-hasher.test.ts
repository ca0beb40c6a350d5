import { createLog } from '@caseway/kit/observability'
import { expect, it } from '@jest/globals'
import { argon2PasswordHasher } from './argon2-password-hasher.client.js'

async function hasher() {
  const lines: string[] = []
  const log = createLog({ service: 'auth', destination: { write: (line: string) => void lines.push(line) } })
  return { lines, ...(await argon2PasswordHasher({ concurrency: 1, maxWaiting: 1, log })) }
}

it('a password matches its own hash only', async () => {
  const { hash, matches, lines } = await hasher()
  const stored = await hash('a password')
  expect([await matches(stored, 'a password'), await matches(stored, 'another'), await matches(null, 'placeholder')]).toEqual([
    ...[true, false, false],
  ])
  expect(lines).toEqual([])
})

it('a password matches in every Unicode form of its characters', async () => {
  const { hash, matches } = await hasher()
  const [composed, decomposed] = ['NFC', 'NFD'].map((form) => 'zażółć gęślą jaźń'.normalize(form)) as [string, string]
  for (const set of [composed, decomposed]) {
    const stored = await hash(set)
    expect([await matches(stored, composed), await matches(stored, decomposed)]).toEqual([true, true])
  }
})

it.each(['', 'x', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA', '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'])(
  'no password matches an invalid hash, %j, which is logged',
  async (stored) => {
    const { matches, lines } = await hasher()
    expect([await matches(stored, 'placeholder'), await matches(stored, stored)]).toEqual([false, false])
    expect(lines).toEqual([expect.stringContaining('cannot be read'), expect.stringContaining('cannot be read')])
    if (stored.length > 1) for (const line of lines) expect(line).not.toContain(stored)
  },
)
