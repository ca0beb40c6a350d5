import { Secret, TOTP } from 'otpauth'

/** The values that all common authenticator apps support; some ignore other ones in a provisioning URI. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const issuer = 'Caseway'

/** The length of a key of HMAC-SHA-1 (RFC 4226 4 recommends 160 bits). */
const secretBytes = 20

/** The number of steps by which the clock of a phone may deviate (RFC 6238 5.2). */
const window = 1

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({ ...settings, issuer, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })

export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: secretBytes }).bytes)

/** The secret in base32, for people who cannot scan the QR code. */
export const secretAsText = (secret: Uint8Array): string => totpOf(secret).secret.base32

/**
 * The `otpauth://` URI for the QR code.
 * @param label names the account in the authenticator app
 */
export const provisioningUri = (secret: Uint8Array, label: string): string => totpOf(secret, label).toString()

/**
 * The time step (RFC 6238) whose one-time password `code` is, out of the current one at `now` and its neighbours; undefined otherwise. Compared in constant
 * time.
 */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const totp = totpOf(secret)
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}
