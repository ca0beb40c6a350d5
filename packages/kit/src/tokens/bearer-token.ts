import type { IncomingHttpHeaders } from 'node:http'

const bearer = /^Bearer +(.*)$/i

/** The access token in the header `Authorization` (RFC 6750 2.1), not verified; undefined where there is none. */
export const bearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined => bearer.exec(authorization)?.[1]
