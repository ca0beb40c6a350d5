import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'

/** Digests that only the secret of the service leads to: of the present one, then of previous ones. */
export type Digests = (text: string) => readonly Buffer[]

/** Both are short, so that most Message-IDs stay on one line. */
const uniqueBytes = 16
const signatureBytes = 12

/** The form of a Message-ID of ours, without brackets. */
const form = /^([\w-]{22})\.([\w-]{16})@[^@\s]+$/

/**
 * Message-IDs (RFC 5322, 3.6.4) of the messages that an office sends, each signed for it: what answers a message that was never sent is known by that.
 * They say nothing of where they were made.
 */
export const messageIds = (digests: Digests) => {
  const signatures = (unique: string, customerId: Id) =>
    digests(`${customerId} ${unique}`).map((digest) => digest.subarray(0, signatureBytes))

  return {
    /** @param address of the sender, whose domain it has */
    make(customerId: Id, address: string): string {
      const unique = randomBytes(uniqueBytes).toString('base64url')
      const [signature] = signatures(unique, customerId)
      return `${unique}.${signature?.toString('base64url')}@${address.slice(address.lastIndexOf('@') + 1)}`
    },

    /** Whether it was made for an office. */
    isOf(messageId: string, customerId: Id): boolean {
      const [, unique = '', signature = ''] = form.exec(messageId) ?? []
      const sent = Buffer.from(signature, 'base64url')
      return sent.length === signatureBytes && signatures(unique, customerId).some((each) => timingSafeEqual(each, sent))
    },
  }
}

export type MessageIds = ReturnType<typeof messageIds>
