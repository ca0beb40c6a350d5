import type { Metrics } from '@caseway/kit/observability'
import { outboundFetch } from '@caseway/kit/outbound'
import type { AccountingPlatform } from './accounting-platform.js'
import { noAccountingPlatform, oauthAccountingPlatform } from './oauth-accounting-platform.client.js'
import { countedPlatform, platformRequests } from './platform-metrics.js'
import { platformPlaceOf } from './platform-variables.js'

interface Parts {
  readonly config: Parameters<typeof platformPlaceOf>[0]
  readonly metrics: Metrics
  readonly onClose: (name: string, close: () => unknown) => void
}

const mebibyte = 1_048_576

/** The configured accounting platform, or one that is never available. */
export function wireAccountingPlatform({ config, metrics, onClose }: Parts): AccountingPlatform {
  const requests = platformRequests(metrics)
  const place = platformPlaceOf(config)
  if (!place) return noAccountingPlatform
  // The operator has configured these hosts, so they may have private addresses.
  const addresses = [place.tokenUrl, place.apiUrl, ...(place.revocationUrl === undefined ? [] : [place.revocationUrl])]
  const privateHosts = addresses.map((address) => new URL(address).host)
  const fetch = outboundFetch({ privateHosts, timeoutMs: place.timeoutMs, maxBytes: mebibyte })
  onClose('accounting platform', () => fetch.close())
  return countedPlatform(oauthAccountingPlatform(place, fetch), requests)
}
