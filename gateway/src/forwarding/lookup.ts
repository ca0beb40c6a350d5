import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

export type LookupAll = (
  name: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A `lookup` for `net.connect` that rotates the addresses of a name, so that each connection begins with the next address. The resolver of the
 * operating system may always return the same order (RFC 6724), and one copy of a service would get all connections.
 */
export function rotatingLookup(lookupAll: LookupAll = lookup): LookupFunction {
  let round = 0
  return (name, options, callback) =>
    lookupAll(name, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const first = round++ % addresses.length
      const inTurn = [...addresses.slice(first), ...addresses.slice(0, first)]
      if (options.all) callback(null, inTurn)
      else callback(null, inTurn[0]?.address as string, inTurn[0]?.family)
    })
}
