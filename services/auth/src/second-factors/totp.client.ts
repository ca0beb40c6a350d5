import { Secret, TOTP } from 'otpauth'

/** What the common authenticator apps take, whatever else a provisioning URI says. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const issuer = 'Caseway'

/** As long as the key of HMAC-SHA-1 (RFC 4226 4 asks for 160 bits). */
const secretBytes = 20

/** By how many steps the clock of a phone may differ (RFC 6238 5.2). */
const window = 1

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({ ...settings, issuer, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })

export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: secretBytes }).bytes)

/** A secret as people type it where no camera reads the QR code. */
export const secretAsText = (secret: Uint8Array): string => totpOf(secret).secret.base32

/** The `otpauth://` address that an authenticator app reads from a QR code. @param label whose account it is */
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
