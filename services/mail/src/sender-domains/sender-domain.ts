/** The result of the check of one DNS record. */
export interface Finding<State extends string> {
  readonly state: State
  /** For the user who set the mailbox up: what was found, and what to do. */
  readonly text: string
}

export const spfStates = ['found', 'missing', 'ambiguous', 'open', 'unknown'] as const
export const dmarcStates = ['reject', 'quarantine', 'none', 'missing', 'unknown'] as const
export const dkimStates = ['signed', 'unpublished', 'mismatched', 'server', 'unknown'] as const

/** The DNS records of a sender's domain: SPF (RFC 7208), DMARC (RFC 7489) and DKIM (RFC 6376). */
export interface SenderDomain {
  readonly domain: string
  readonly spf: Finding<(typeof spfStates)[number]>
  readonly dmarc: Finding<(typeof dmarcStates)[number]>
  readonly dkim: Finding<(typeof dkimStates)[number]>
}

/** The TXT records of a DNS name; null where the DNS did not answer. */
export type Texts = readonly string[] | null

export function spfOf(domain: string, texts: Texts): SenderDomain['spf'] {
  if (!texts) return { state: 'unknown', text: `The DNS did not answer: whether ${domain} has an SPF record is not known.` }
  const [record, ...others] = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  if (record === undefined)
    return {
      state: 'missing',
      text: `${domain} has no SPF record: servers may take its mail for forged. Publish one that names those who send for it.`,
    }
  if (others.length > 0) return { state: 'ambiguous', text: `${domain} has several SPF records, which count as none. Keep one of them.` }
  if (/ \+?all( |$)/i.test(record))
    return { state: 'open', text: `The SPF record of ${domain} lets every server send for it. End it with -all or ~all.` }
  return { state: 'found', text: `${domain} has an SPF record. The servers that send for this mailbox must be among those that it names.` }
}

/** The tags of a record of DMARC or DKIM. */
const tagsOf = (record: string): ReadonlyMap<string, string> =>
  new Map(record.split(';').map((tag) => [tag.split('=', 1)[0]?.trim().toLowerCase() ?? '', tag.slice(tag.indexOf('=') + 1).trim()]))

const policies = {
  reject: 'mail that is neither signed for it nor sent by its servers is refused',
  quarantine: 'mail that is neither signed for it nor sent by its servers is treated as suspicious',
  none: 'forged mail is delivered all the same. Set quarantine or reject when reports show that your own mail passes',
} as const

const isPolicy = (policy: string | undefined): policy is keyof typeof policies => policy !== undefined && policy in policies

/** @param ofOrganization the records of the registrable domain above it, which count where the domain has none */
export function dmarcOf(domain: string, texts: Texts, ofOrganization: Texts): SenderDomain['dmarc'] {
  const recordsOf = (all: Texts) => all?.filter((text) => /^v=DMARC1\s*(;|$)/i.test(text))
  const own = recordsOf(texts)
  const found = own?.length === 0 ? recordsOf(ofOrganization) : own
  if (!found) return { state: 'unknown', text: `The DNS did not answer: whether ${domain} has a DMARC record is not known.` }
  const tags = found.length === 1 ? tagsOf(found[0] as string) : undefined
  const policy = ((found !== own && tags?.get('sp')) || tags?.get('p'))?.toLowerCase()
  if (isPolicy(policy)) return { state: policy, text: `The DMARC policy of ${domain} is ${policy}: ${policies[policy]}.` }
  return {
    state: 'missing',
    text: `${domain} has no valid DMARC record: nobody learns of mail that is forged in its name. Publish one at _dmarc.${domain}.`,
  }
}

/** @param key the key that signs messages here, with the records at its name; undefined where nothing is signed here */
export function dkimOf(
  domain: string,
  key: { readonly name: string; readonly publicKey: string; readonly texts: Texts } | undefined,
): SenderDomain['dkim'] {
  if (!key) return { state: 'server', text: `Messages are not signed here. The mail server should sign them for ${domain} (DKIM).` }
  const { name, publicKey, texts } = key
  if (!texts) return { state: 'unknown', text: `The DNS did not answer: whether ${name} has the key of our signatures is not known.` }
  const published = texts.map((text) => tagsOf(text).get('p')?.replaceAll(/\s/g, ''))
  if (published.includes(publicKey))
    return { state: 'signed', text: `Messages from ${domain} are signed (DKIM), and others can verify it.` }
  return published.length === 0
    ? {
        state: 'unpublished',
        text: `Messages from ${domain} are signed, but ${name} has no key: nobody can verify it. Publish the key there.`,
      }
    : {
        state: 'mismatched',
        text: `Messages from ${domain} are signed, but ${name} has another key: they look forged. Publish the present one.`,
      }
}
