import type { Audience } from '@caseway/kit/caller'
import type { Health } from '@caseway/kit/http'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { endedSessions } from '@caseway/kit/sessions'
import type { TokenVerifier } from '@caseway/kit/tokens'
import type { GatewayConfig } from './config.js'
import { documentService } from './documents/document.service.js'
import { fetchedDocument } from './documents/upstream-document.client.js'
import { createUpstream } from './forwarding/upstream.client.js'
import { createListener } from './listener.js'
import { callerLimits } from './requests/caller-limits.js'
import type { UpstreamName } from './upstreams.js'

interface Dependencies extends Health {
  log: Logger
  metrics: Metrics
  verifier: TokenVerifier
}

/** Who uses whom. */
export async function wire(config: GatewayConfig, dependencies: Dependencies) {
  const { log } = dependencies
  const serviceUrls: Record<UpstreamName, readonly string[]> = { auth: config.authUrl, 'cases-and-counters': config.casesAndCountersUrl }
  const publicUrls: Record<Audience, string> = { expert: config.expertUrl, client: config.clientUrl }

  const ended = endedSessions()
  const limits = callerLimits(config)
  const short = { timeoutMs: config.upstreamTimeoutMs, pauseMs: config.upstreamTimeoutMs, connections: config.upstreamConnections }
  const services = {
    auth: createUpstream(serviceUrls.auth, short),
    'cases-and-counters': createUpstream(serviceUrls['cases-and-counters'], short),
  }
  const streams = createUpstream(serviceUrls['cases-and-counters'], { timeoutMs: config.upstreamTimeoutMs, pauseMs: 0 })

  const listen = (audience: Audience) => {
    const url = publicUrls[audience]
    const sourceOf = (name: UpstreamName) =>
      fetchedDocument(
        serviceUrls[name].map((url) => `${url}/${audience}/openapi.json`),
        { log, cacheMs: config.documentsCacheMs },
      )
    const documents = documentService(audience, url, { auth: sourceOf('auth'), 'cases-and-counters': sourceOf('cases-and-counters') })
    return createListener({ ...dependencies, audience, url, config, ended, limits, services, streams, documents })
  }
  return {
    ended,
    upstreams: [...Object.values(services), streams],
    listeners: { expert: await listen('expert'), client: await listen('client') },
  }
}
