import type { Audience } from '@caseway/kit/caller'
import type { Health } from '@caseway/kit/http'
import type { Logger, Metrics } from '@caseway/kit/observability'
import { endedSessions } from '@caseway/kit/sessions'
import type { TokenVerifier } from '@caseway/kit/tokens'
import { byService, type ServiceName } from '@caseway/registry'
import { type GatewayConfig, urlsOf } from './config.js'
import { documentService } from './documents/document.service.js'
import { fetchedDocument } from './documents/upstream-document.client.js'
import { createUpstream } from './forwarding/upstream.client.js'
import { createListener } from './listener.js'
import { callerLimits } from './requests/caller-limits.js'
import { streamService } from './upstreams.js'

interface Dependencies extends Health {
  log: Logger
  metrics: Metrics
  verifier: TokenVerifier
}

/** Builds the parts of the gateway. */
export async function wire(config: GatewayConfig, dependencies: Dependencies) {
  const { log } = dependencies
  const serviceUrls = byService(({ name }) => urlsOf(config, name))
  const publicUrls: Record<Audience, string> = { expert: config.expertUrl, client: config.clientUrl }

  const ended = endedSessions()
  const limits = callerLimits(config)
  const { upstreamTimeoutMs: timeoutMs, upstreamConnectionMs: connectionMs, upstreamConnections: connections } = config
  const short = { timeoutMs, pauseMs: timeoutMs, connections, connectionMs }
  const services = byService(({ name }) => createUpstream(serviceUrls[name], short))
  const streams = createUpstream(serviceUrls[streamService], { timeoutMs, pauseMs: 0, connectionMs })

  const listen = (audience: Audience) => {
    const url = publicUrls[audience]
    const sourceOf = (name: ServiceName) =>
      fetchedDocument(
        serviceUrls[name].map((url) => `${url}/${audience}/openapi.json`),
        { log, cacheMs: config.documentsCacheMs },
      )
    const documents = documentService(
      audience,
      url,
      byService(({ name }) => sourceOf(name)),
    )
    return createListener({ ...dependencies, audience, url, config, ended, limits, services, streams, documents })
  }
  return {
    ended,
    upstreams: [...Object.values(services), streams],
    listeners: { expert: await listen('expert'), client: await listen('client') },
  }
}
