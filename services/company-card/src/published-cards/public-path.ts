import { object } from '@caseway/kit/resource'

/** For a minute everybody may show what they have, without asking again (RFC 9111 5.2.2). */
export const publicForAMinute = 'public, max-age=60'

export const hashParameter = object({ hash: { type: 'string', description: 'Of the card.' } })

export const hashOf = ({ params }: { params: unknown }): string => (params as { hash: string }).hash

/** What a 304 says. */
export const known = { description: 'The caller has it already.', type: 'null' }
