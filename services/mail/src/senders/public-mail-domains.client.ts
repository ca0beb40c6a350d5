import { createRequire } from 'node:module'
import type { IsPublic } from './office-domain.js'

/** The package has no types; its main export is this list. */
const listed: readonly string[] = createRequire(import.meta.url)('email-providers/all.json')

/** Polish providers that the list lacks. */
const polish = [
  ...['amorki.pl', 'autograf.pl', 'buziaczek.pl', 'go2.pl', 'int.pl', 'interia.com', 'interia.eu', 'onet.com.pl', 'onet.eu', 'op.pl'],
  ...['spoko.pl', 'tlen.pl', 'vp.pl'],
]

const domains: ReadonlySet<string> = new Set([...listed, ...polish])

/** Uses the list of the package email-providers. */
export const isPublicMailDomain: IsPublic = (domain) => domains.has(domain)
