import { line } from '@caseway/kit/fields'

const maxPasswordLength = 200

/** Keyboards encode the same character in different ways (RFC 8265 4.2.2: NFC). */
export const oneForm = (password: string) => password.normalize('NFC')

/** A password of so many characters, in whatever form they come. */
export function passwordLine(min = 0) {
  const kind = line({ min, max: maxPasswordLength })
  return { ...kind, decode: (wire: unknown, zone: string) => kind.decode(typeof wire === 'string' ? oneForm(wire) : wire, zone) }
}

/** The password that a person has. */
export const currentPassword = passwordLine()
