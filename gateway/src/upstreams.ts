import type { Audience } from '@caseway/kit/caller'
import { registry, type ServiceName, services } from '@caseway/registry'

const prefixesOf = (audience: Audience) =>
  Object.fromEntries(services.flatMap(({ name, prefixes }) => prefixes[audience].map((prefix) => [prefix, name])))

/**
 * The routing table: which service serves `/rest/<prefix>` and everything below it, case-sensitively, on each address. It comes from the registry;
 * any other prefix is 404.
 */
export const upstreams: Record<Audience, Readonly<Record<string, ServiceName>>> = {
  expert: prefixesOf('expert'),
  client: prefixesOf('client'),
}

/** Which service serves the public paths, `/<segment>/…` beside `/rest`, on each address. They need no token. */
export const publicUpstreams: Record<Audience, Readonly<Record<string, ServiceName>>> = {
  expert: {},
  client: Object.fromEntries(services.flatMap(({ name, public: segments = [] }) => segments.map((segment) => [segment, name]))),
}

/** The prefixes that take uploads, on both addresses. */
export const uploadPrefixes: readonly string[] = services.flatMap(({ uploads = [] }) => uploads)

/** The service of the live stream (Server-Sent Events), and its path. */
export const { name: streamService, streamPath } = registry.casesAndCounters

/** The prefixes below which a POST needs no token: the caller has lost the password, or has none yet. */
export const openPrefixes: readonly string[] = services.flatMap(({ open = [] }) => open)

/** Issues (POST) and revokes (DELETE) tokens. */
export const tokenPath = '/rest/token'
