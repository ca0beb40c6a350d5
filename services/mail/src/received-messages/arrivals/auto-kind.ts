/** The kinds of mail that nobody else wrote by hand; they never trigger an answer. `own` is mail that the mailbox itself has sent. */
export const autoKinds = ['auto_reply', 'bounce', 'list', 'own'] as const
export type AutoKind = (typeof autoKinds)[number]

interface Header {
  get(name: string): readonly string[]
}

/**
 * The kind of automatic mail that a header indicates; null for mail that a person wrote. A delivery report or an empty return path is a bounce (RFC
 * 3464, RFC 5321 4.5.5). Other reports, such as read receipts, whose return path is also empty (RFC 8098), are automatic answers. The rest follows
 * RFC 3834, RFC 2919 and the older header Precedence.
 */
export function autoKindOf({ get }: Header): AutoKind | null {
  const [contentType, returnPath, submitted, precedence] = ['content-type', 'return-path', 'auto-submitted', 'precedence'].map(
    (name) => get(name)[0]?.trim().toLowerCase() ?? '',
  ) as [string, string, string, string]
  const isReport = contentType.startsWith('multipart/report')
  const [, reportType = 'delivery-status'] = /;\s*report-type\s*=\s*"?([^\s";]+)/.exec(contentType) ?? []
  if (isReport && reportType !== 'delivery-status') return 'auto_reply'
  if (isReport || returnPath === '<>') return 'bounce'
  if (get('list-id').length > 0 || ['list', 'bulk', 'junk'].includes(precedence)) return 'list'
  if ((submitted !== '' && !submitted.startsWith('no')) || precedence === 'auto_reply') return 'auto_reply'
  return null
}
