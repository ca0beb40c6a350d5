import { describe, expect, it } from '@jest/globals'
import { matchingStep, newTotpSecret, provisioningUri, secretAsText } from './totp.client.js'

/** RFC 6238, appendix B, SHA-1. Its codes have eight digits; the last six of them are the code of six digits. */
const secret = Buffer.from('12345678901234567890')
const vectors: [seconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]
const at = (seconds: number) => new Date(seconds * 1000)

describe('a one-time password', () => {
  it.each(vectors)('at %d s is the last six digits of %s', (seconds, code) => {
    expect(matchingStep(secret, code.slice(2), at(seconds))).toBe(Math.floor(seconds / 30))
  })

  // The code of step 41152263, which lasts from 1,234,567,890 s to 1,234,567,919 s.
  const code = '005924'
  it.each([
    [1_234_567_859, undefined],
    [1_234_567_860, 41_152_263],
    [1_234_567_949, 41_152_263],
    [1_234_567_950, undefined],
  ])('is good a step before and after its own: at %d s', (seconds, step) => expect(matchingStep(secret, code, at(seconds))).toBe(step))

  it.each(['', '00592', '0059244', '00592a', '00 5924', '٠٠٥٩٢٤', '００５９２４'])('must be six digits: %j is not', (code) => {
    expect(matchingStep(secret, code, at(1_234_567_890))).toBeUndefined()
  })

  it('depends on the secret', () => expect(matchingStep(newTotpSecret(), code, at(1_234_567_890))).toBeUndefined())
})

it('a secret is 160 random bits', () => {
  const [one, other] = [newTotpSecret(), newTotpSecret()]
  expect(one).toHaveLength(20)
  expect(one).not.toEqual(other)
})

it('the URI of a QR code contains the account, the issuer and the parameters', () => {
  expect(secretAsText(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(provisioningUri(secret, 'anna+a@nowak.example')).toBe(
    'otpauth://totp/Caseway:anna%2Ba%40nowak.example?issuer=Caseway&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  )
})
