import type { Id } from '@caseway/kit/caller'
import { type DkimKey, keyFor } from '../composition/dkim-key.js'
import { domainOf } from '../senders/office-domain.js'
import type { DomainTexts } from './domain-texts.js'
import { dkimOf, dmarcOf, type SenderDomain, spfOf } from './sender-domain.js'

interface Parts {
  readonly texts: DomainTexts
  /** The registrable domain that a domain is, or is below; null where there is none. */
  readonly registered: (domain: string) => string | null
  readonly keys: readonly DkimKey[]
}

/** Checks the DNS records (SPF, DMARC, DKIM) of the domain from which an office sends. */
export const senderDomains =
  ({ texts, registered, keys }: Parts) =>
  async (customerId: Id, address: string): Promise<SenderDomain> => {
    const domain = domainOf(address)
    const above = registered(domain)
    const key = keyFor(keys, customerId, address)
    const name = key && `${key.selector}._domainkey.${domain}`
    const [spf, dmarc, ofOrganization, ofKey] = await Promise.all([
      texts(domain),
      texts(`_dmarc.${domain}`),
      above === null || above === domain ? [] : texts(`_dmarc.${above}`),
      name && texts(name),
    ])
    return {
      ...{ domain, spf: spfOf(domain, spf), dmarc: dmarcOf(domain, dmarc, ofOrganization) },
      dkim: dkimOf(domain, key && name ? { name, publicKey: key.publicKey, texts: ofKey || null } : undefined),
    }
  }

export type SenderDomains = ReturnType<typeof senderDomains>
