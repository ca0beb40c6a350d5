/** What a delivery report says of one recipient (RFC 3464, 2.3). */
export interface ReportedRecipient {
  /** As it is in the report: the address to which the message was sent, and the one at which it ended. */
  readonly addresses: readonly string[]
  readonly state: 'failed' | 'delayed' | 'delivered'
  /** The enhanced status code (RFC 3463), as `5.1.1`; empty where there is none. */
  readonly status: string
  /** What the other server has said; empty where nobody says. */
  readonly diagnostic: string
}

/** By its action; of one that was `relayed` nobody says what became of it (RFC 3464, 2.3.3). */
const stateOf = { failed: 'failed', delayed: 'delayed', delivered: 'delivered', expanded: 'delivered' } as const

/** Behind the type of an address, or of a text: `rfc822; a@b`. */
const value = (field = '') => field.slice(field.indexOf(';') + 1).trim()
const address = (field = '') => value(field).replace(/^<|>$/g, '').toLowerCase()

function fieldsOf(group: string): ReadonlyMap<string, string> {
  const lines = group.replace(/\n[ \t]+/g, ' ').split('\n')
  return new Map(
    lines.map((line) => [
      line
        .slice(0, Math.max(0, line.indexOf(':')))
        .trim()
        .toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
}

/** @param text of a part message/delivery-status: groups of fields, of which the first is about the message */
export function reportedRecipients(text: string): ReportedRecipient[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .flatMap((group) => {
      const fields = fieldsOf(group.trim())
      const action = (fields.get('action') ?? '').toLowerCase()
      const addresses = ['original-recipient', 'final-recipient'].map((name) => address(fields.get(name))).filter((found) => found !== '')
      if (!Object.hasOwn(stateOf, action) || addresses.length === 0) return []
      const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? ''
      return [
        {
          addresses,
          state: stateOf[action as keyof typeof stateOf],
          status,
          diagnostic: value(fields.get('diagnostic-code')).slice(0, 500),
        },
      ]
    })
}

/** The sentence that is shown; empty for what was delivered. */
export function reportText({ state, status, diagnostic }: Omit<ReportedRecipient, 'addresses'>): string {
  if (state === 'delivered') return ''
  const what =
    state === 'failed' ? 'The message could not be delivered' : 'The message is not yet delivered, and the mail server tries again'
  return `${what}${status && ` (${status})`}${diagnostic ? `: ${diagnostic}` : '.'}`
}
