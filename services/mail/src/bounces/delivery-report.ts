/** One recipient in a delivery report (RFC 3464, 2.3). */
export interface ReportedRecipient {
  /** The Original-Recipient and the Final-Recipient, as far as the report names them, in lower case. */
  readonly addresses: readonly string[]
  readonly state: 'failed' | 'delayed' | 'delivered'
  /** The enhanced status code (RFC 3463), as `5.1.1`; empty where there is none. */
  readonly status: string
  /** The reply of the other server, at most 500 characters; empty where the report has none. */
  readonly diagnostic: string
}

/** States by the action of a report. `relayed` has none, because nothing is known of the delivery (RFC 3464, 2.3.3). */
const stateOf = { failed: 'failed', delayed: 'delayed', delivered: 'delivered', expanded: 'delivered' } as const

/** The value of a typed field: `a@b` of `rfc822; a@b`. */
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

/**
 * The recipients that a report names; groups without a known action or an address are skipped.
 * @param text the body of a message/delivery-status part: groups of fields, the first of which describes the message
 */
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

/** The text that the author sees; empty for a delivery. */
export function reportText({ state, status, diagnostic }: Omit<ReportedRecipient, 'addresses'>): string {
  if (state === 'delivered') return ''
  const what =
    state === 'failed' ? 'The message could not be delivered' : 'The message is not yet delivered, and the mail server tries again'
  return `${what}${status && ` (${status})`}${diagnostic ? `: ${diagnostic}` : '.'}`
}
