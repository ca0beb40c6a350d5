import type { IncomingHttpHeaders } from 'node:http'

const bearer = /^Bearer +(.*)$/i

/** The access token that a request carries, if any, unverified (RFC 6750 2.1). */
export const bearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined => bearer.exec(authorization)?.[1]
