import type { Texts } from './sender-domain.js'

/** Reads the TXT records of a DNS name, within two seconds. */
export type DomainTexts = (name: string) => Promise<Texts>
