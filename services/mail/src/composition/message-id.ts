import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'

/** Keyed digests of a text: by the present secret of the service, then by previous ones. */
export type Digests = (text: string) => readonly Buffer[]

/** Lengths in bytes, short enough that most Message-IDs fit on one line. */
const uniqueBytes = 16
const signatureBytes = 12

/** The form of the Message-IDs made here, without angle brackets. */
const form = /^([\w-]{22})\.([\w-]{16})@[^@\s]+$/

/**
 * Makes and verifies the Message-IDs (RFC 5322, 3.6.4) of sent messages. Each is signed for its office, so that a reply to a message that was never
 * sent is recognised. None names the host.
 */
export const messageIds = (digests: Digests) => {
  const signatures = (unique: string, customerId: Id) =>
    digests(`${customerId} ${unique}`).map((digest) => digest.subarray(0, signatureBytes))

  return {
    /** @param address the address of the sender, whose domain the id gets */
    make(customerId: Id, address: string): string {
      const unique = randomBytes(uniqueBytes).toString('base64url')
      const [signature] = signatures(unique, customerId)
      return `${unique}.${signature?.toString('base64url')}@${address.slice(address.lastIndexOf('@') + 1)}`
    },

    /** Whether the id was made here for the office. */
    isOf(messageId: string, customerId: Id): boolean {
      const [, unique = '', signature = ''] = form.exec(messageId) ?? []
      const sent = Buffer.from(signature, 'base64url')
      return sent.length === signatureBytes && signatures(unique, customerId).some((each) => timingSafeEqual(each, sent))
    },
  }
}

export type MessageIds = ReturnType<typeof messageIds>
