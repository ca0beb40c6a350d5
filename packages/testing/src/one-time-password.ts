import { Secret, TOTP } from 'otpauth'

const stepMs = 30_000

/** The present code of an authenticator app (RFC 6238). @param secret in base 32 */
export const otpOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Six digits that are not a code of the secret within two minutes around now. */
export function wrongOtpOf(secret: string): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const near = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((steps) => totp.generate({ timestamp: Date.now() + steps * stepMs }))
  return Array.from('0123456789', (digit) => digit.repeat(6)).find((code) => !near.includes(code)) as string
}
