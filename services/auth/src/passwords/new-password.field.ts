import { FieldError, writeOnly } from '@caseway/kit/fields'
import { isCommonPassword, minPasswordLength } from './common-passwords.client.js'
import { passwordLine } from './password.field.js'

const wellFormed = passwordLine(minPasswordLength)

/** A field for a new password (NIST SP 800-63B 3.1.1.2). Passwords that were set under older rules still sign in. */
export const newPassword = writeOnly({
  ...wellFormed,
  decode(wire, zone) {
    const value = wellFormed.decode(wire, zone)
    return typeof value === 'string' && isCommonPassword(value)
      ? new FieldError('must not be one of the 100,000 most common passwords')
      : value
  },
})
