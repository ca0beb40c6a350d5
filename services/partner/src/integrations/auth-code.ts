import { hash } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'
import { codeRefused, codeUsed, companyIntegrated, noActiveCompany } from '../errors.js'

/** The company of an account as the person who chooses sees it. */
export interface OfferedCompany {
  readonly companyId: string
  readonly name: string
}

/** An integration that is complete, or one whose company has to be chosen. */
export type Connected =
  | { readonly kind: 'complete'; readonly id: Id; readonly companyId: string; readonly name: string; readonly modified: Date }
  | { readonly kind: 'choice'; readonly id: Id; readonly companies: readonly OfferedCompany[] }

/** Why a code led to no integration, or to none that is still there. */
export const refusals = { refused: codeRefused, 'no-company': noActiveCompany, integrated: companyIntegrated, deleted: codeUsed }
export type Refusal = keyof typeof refusals

/** What came of a code: it is good for one exchange, and the same answer each time that it is posted. */
export type Outcome = Connected | { readonly kind: 'refusal'; readonly refusal: Refusal }

/** What is kept of a code, or of the state of a request: nobody can read from it what they must not know. */
export const digestOf = (secret: string): Buffer<ArrayBuffer> => Buffer.from(hash('sha256', secret, 'buffer'))
