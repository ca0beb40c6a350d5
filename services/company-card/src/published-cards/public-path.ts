import { object } from '@caseway/kit/resource'

/** `Cache-Control` of public answers: any cache may use them for a minute without revalidation (RFC 9111 5.2.2). */
export const publicForAMinute = 'public, max-age=60'

export const hashParameter = object({ hash: { type: 'string', description: 'The hash of the card.' } })

export const hashOf = ({ params }: { params: unknown }): string => (params as { hash: string }).hash

/** The schema of a 304. */
export const known = { description: 'The answer is unchanged.', type: 'null' }
