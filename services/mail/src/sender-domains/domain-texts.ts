import type { Texts } from './sender-domain.js'

/** Reads the TXT records of a name in the DNS. It answers within two seconds. */
export type DomainTexts = (name: string) => Promise<Texts>
