import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'
import type { DomainTexts } from './domain-texts.js'

/** Uses the resolver of Node.js. @param servers `address` or `address:port`; empty for those of the system */
export function dnsDomainTexts(servers: readonly string[]): DomainTexts {
  const resolver = new Resolver({ timeout: 1000, tries: 2, maxTimeout: 1000 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === NODATA || code === NOTFOUND ? [] : null
    }
  }
}
