import type { Audience } from '@caseway/kit/caller'
import { registry, type ServiceName, services } from '@caseway/registry'

const prefixesOf = (audience: Audience) =>
  Object.fromEntries(services.flatMap(({ name, prefixes }) => prefixes[audience].map((prefix) => [prefix, name])))

/**
 * Who answers what: `/rest/<prefix>` and all that is below it, letter by letter, on each address, as the registry of services says. A
 * prefix that is not there does not exist for the world outside.
 */
export const upstreams: Record<Audience, Readonly<Record<string, ServiceName>>> = {
  expert: prefixesOf('expert'),
  client: prefixesOf('client'),
}

/** Who answers the public paths, `/<segment>/…` beside `/rest`, on each address. They need no token. */
export const publicUpstreams: Record<Audience, Readonly<Record<string, ServiceName>>> = {
  expert: {},
  client: Object.fromEntries(services.flatMap(({ name, public: segments = [] }) => segments.map((segment) => [segment, name]))),
}

/** The prefixes that take uploads, on both addresses. */
export const uploadPrefixes: readonly string[] = services.flatMap(({ uploads = [] }) => uploads)

/** The service with the one answer that does not end by itself: Server-Sent Events. */
export const { name: streamService, streamPath } = registry.casesAndCounters

/** The prefixes below which a POST needs no token: whoever calls has lost the password, or has none yet. */
export const openPrefixes: readonly string[] = services.flatMap(({ open = [] }) => open)

/** Where tokens are asked for (POST) and given back (DELETE). */
export const tokenPath = '/rest/token'
