import type { Id } from '@caseway/kit/caller'
import type { MailFolderRule } from '../../mail-folder-rules/mail-folder-rule.js'
import { addressKey, type KnownSender } from '../../senders/sender.js'
import type { SeenRepository } from '../seen.repository.js'
import type { ArrivalRepository } from './arrival.repository.js'
import type { Announced, Intake, ReceivingMailbox } from './arrived-message.js'
import { decide } from './decision.js'

/** Looks up senders by their addresses. */
export interface SenderDirectory {
  /** The senders by address in the form of `addressKey`; an address that is missing in the result is unknown. */
  find(customerId: Id, addresses: readonly string[]): Promise<ReadonlyMap<string, readonly KnownSender[]>>
}

/** The rules of a user, in the order in which they are tried. */
export interface RuleBook {
  of(customerId: Id, userId: Id): Promise<readonly MailFolderRule[]>
}

export interface IntakeParts extends Pick<ArrivalRepository, 'store' | 'discard'>, Pick<SeenRepository, 'seen'> {
  readonly senders: SenderDirectory
  readonly rules: RuleBook
  readonly draftsVanished: Intake['draftsVanished']
}

/** The sender's address in the form of `addressKey`. */
const senderOf = ({ headers }: Announced): string => addressKey(headers.from?.address ?? '')

export const intakeService = ({ senders, rules, store, discard, seen, draftsVanished }: IntakeParts): Intake => ({
  async decide(mailbox: ReceivingMailbox, messages: readonly Announced[]) {
    const { customerId, userId } = mailbox
    const addresses = [...new Set(messages.map(senderOf))].filter((address) => address !== '')
    const [known, own] = await Promise.all([senders.find(customerId, addresses), rules.of(customerId, userId)])
    return messages.map((message) => decide(message, mailbox, { rules: own, known: known.get(senderOf(message)) ?? [] }))
  },
  ...{ store, discard, seen, draftsVanished },
})
