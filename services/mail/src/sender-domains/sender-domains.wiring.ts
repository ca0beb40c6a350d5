import { getDomain } from 'tldts'
import type { DkimKey } from '../composition/dkim-key.js'
import { dnsDomainTexts } from './dns-domain-texts.client.js'
import { senderDomains } from './sender-domain.service.js'

interface Parts {
  readonly config: { readonly dnsServers: readonly string[] }
  readonly keys: readonly DkimKey[]
}

/** Checks the domains of senders. Registrable domains are found with the Public Suffix List of tldts. */
export const wireSenderDomains = ({ config, keys }: Parts) =>
  senderDomains({ texts: dnsDomainTexts(config.dnsServers), registered: (domain) => getDomain(domain), keys })
