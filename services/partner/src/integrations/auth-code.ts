import { hash } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { codeRefused, codeUsed, companyIntegrated, noActiveCompany } from '../errors.js'

/** A company that can be chosen. */
export interface OfferedCompany {
  readonly companyId: string
  readonly name: string
}

/** An integration that is complete, or one whose company has to be chosen. */
export type Connected =
  | { readonly kind: 'complete'; readonly id: Id; readonly companyId: string; readonly name: string; readonly modified: Date }
  | { readonly kind: 'choice'; readonly id: Id; readonly companies: readonly OfferedCompany[] }

/** Why a code has no integration, and the error for each reason. */
export const refusals = { refused: codeRefused, 'no-company': noActiveCompany, integrated: companyIntegrated, deleted: codeUsed }
export type Refusal = keyof typeof refusals

/** The outcome of a code, which every later request with it gets. */
export type Outcome = Connected | { readonly kind: 'refusal'; readonly refusal: Refusal }

/** The SHA-256 under which a code or a `state` is stored, so that the database does not reveal it. */
export const digestOf = (secret: string): Buffer<ArrayBuffer> => Buffer.from(hash('sha256', secret, 'buffer'))
