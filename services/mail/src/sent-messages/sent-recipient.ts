import { addressKey } from '../senders/sender.js'

/** The kinds of recipients, in the order in which they are listed. */
export const recipientKinds = ['to', 'cc', 'bcc'] as const
export type RecipientKind = (typeof recipientKinds)[number]

/**
 * The state of a message at one recipient: `deferred` is tried again, `refused` is not. An `accepted` one becomes `delayed`, `delivered` or `failed`
 * by a delivery report.
 */
export const recipientStates = ['pending', 'accepted', 'deferred', 'refused', 'delayed', 'delivered', 'failed'] as const
/** The states of recipients who have the message, or to whom another server is delivering it. */
const acceptedStates: readonly string[] = ['accepted', 'delayed', 'delivered']
export type RecipientState = (typeof recipientStates)[number]

export interface Recipient {
  readonly kind: RecipientKind
  readonly address: string
  readonly name: string
}

/** The recipients of each kind in a request; undefined keeps the stored ones. */
export interface SentRecipients {
  readonly mailToAddress?: readonly string[]
  readonly mailToName?: readonly string[]
  readonly mailCcAddress?: readonly string[]
  readonly mailCcName?: readonly string[]
  readonly mailBccAddress?: readonly string[]
  readonly mailBccName?: readonly string[]
}

/** The most recipients of a message. */
export const maxRecipients = 100

/** The addresses and names of each kind after a request; the stored addresses where it sends none. */
const listsOf = (before: readonly Recipient[], sent: SentRecipients) => {
  const list = (kind: RecipientKind, addresses: readonly string[] | undefined, names: readonly string[] | undefined) => {
    const stored = before.filter((recipient) => recipient.kind === kind).map(({ address }) => address)
    return { kind, addresses: addresses ?? stored, names }
  }
  return [
    list('to', sent.mailToAddress, sent.mailToName),
    list('cc', sent.mailCcAddress, sent.mailCcName),
    list('bcc', sent.mailBccAddress, sent.mailBccName),
  ]
}

/** The same without names whose addresses are not among the valid fields of the request: they can be compared with none. */
export function withAddresses<Sent extends SentRecipients>(sent: Sent): Sent {
  const { mailToName, mailCcName, mailBccName, ...others } = sent
  return {
    ...others,
    ...(sent.mailToAddress && mailToName && { mailToName }),
    ...(sent.mailCcAddress && mailCcName && { mailCcName }),
    ...(sent.mailBccAddress && mailBccName && { mailBccName }),
  } as Sent
}

/** The errors of the recipients in a request, by field name. */
export function wrongRecipients(before: readonly Recipient[], sent: SentRecipients): Record<string, string> {
  const wrong = listsOf(before, sent).filter(({ addresses, names }) => names !== undefined && names.length !== addresses.length)
  return Object.fromEntries(wrong.map(({ kind }) => [`mail_${kind}_name`, `must have as many entries as mail_${kind}_address`]))
}

/** The recipients after a request. A stored recipient keeps its name unless the request sends names. A repeated address counts once, where it stands first. */
export function recipientsAfter(before: readonly Recipient[], sent: SentRecipients): Recipient[] {
  const known = new Map(before.map(({ address, name }) => [addressKey(address), name]))
  const all = listsOf(before, sent).flatMap(({ kind, addresses, names }) =>
    addresses.map((address, at) => ({ kind, address, name: (names ? names[at] : known.get(addressKey(address))) ?? '' })),
  )
  return [...new Map(all.toReversed().map((recipient) => [addressKey(recipient.address), recipient])).values()].toReversed()
}

interface Tried extends Recipient {
  readonly state: string
}

/** The rows of recipients for the next attempts: those who have the message keep their state, and do not get it again. */
export function toTry(recipients: readonly Recipient[], before: readonly Tried[]) {
  const states = new Map(
    before
      .filter(({ state }) => acceptedStates.includes(state))
      .map(({ address, state }) => [addressKey(address), state as RecipientState]),
  )
  return recipients.map(({ kind, address, name }, position) => {
    const state: RecipientState = states.get(addressKey(address)) ?? 'pending'
    return { kind, address, name, position, state }
  })
}
