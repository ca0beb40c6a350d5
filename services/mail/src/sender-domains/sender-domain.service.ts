import type { Id } from '@caseway/kit/caller'
import { type DkimKey, keyFor } from '../composition/dkim-key.js'
import type { DomainTexts } from './domain-texts.js'
import { dkimOf, dmarcOf, type SenderDomain, spfOf } from './sender-domain.js'

interface Parts {
  readonly texts: DomainTexts
  /** The domain that somebody has registered, above a domain or the same; null where there is none. */
  readonly registered: (domain: string) => string | null
  readonly keys: readonly DkimKey[]
}

/** What other servers find of the domain of an address from which an office sends. */
export const senderDomains =
  ({ texts, registered, keys }: Parts) =>
  async (customerId: Id, address: string): Promise<SenderDomain> => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
    const above = registered(domain)
    const key = keyFor(keys, customerId, address)
    const nameOfKey = `${key?.selector}._domainkey.${domain}`
    const [spf, dmarc, ofOrganization, ofKey] = await Promise.all([
      texts(domain),
      texts(`_dmarc.${domain}`),
      above === null || above === domain ? [] : texts(`_dmarc.${above}`),
      key && texts(nameOfKey),
    ])
    return {
      ...{ domain, spf: spfOf(domain, spf), dmarc: dmarcOf(domain, dmarc, ofOrganization) },
      dkim: dkimOf(domain, key && { name: nameOfKey, publicKey: key.publicKey, texts: ofKey ?? null }),
    }
  }

export type SenderDomains = ReturnType<typeof senderDomains>
