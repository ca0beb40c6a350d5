import type { Employee, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { AccountingPlatform } from '../accounting-platform/accounting-platform.js'
import { issuerMissing, issuerRefused, stateRefused } from '../errors.js'
import { type Connected, type Outcome, type Refusal, refusals } from './auth-code.js'
import type { Claim } from './auth-code.repository.js'
import type { AuthCodeService } from './auth-code.service.js'
import type { AuthorizationRepository } from './authorization.repository.js'
import type { IntegrationRepository } from './integration.repository.js'

/** The parameters with which the accounting platform has redirected the browser (RFC 6749 4.1.2, RFC 9207). */
export interface ReceivedCode {
  readonly authCode: string
  readonly state?: string | undefined
  readonly iss?: string | undefined
}

interface Parts {
  readonly integrations: Omit<IntegrationRepository, 'markBroken'>
  readonly authorizations: AuthorizationRepository
  readonly codes: AuthCodeService
  readonly settle: (claim: Claim, outcome: Outcome) => Promise<void>
  readonly platform: AccountingPlatform
}

export const integrationService = ({ integrations, authorizations, codes, settle, platform }: Parts) => {
  const { find: _, create, choose, remove, ...others } = integrations

  /** The code verifier of the request; undefined without a `state`. @throws AppError `invalid` where `state` or `iss` is not valid */
  const verifierOf = async (caller: Employee, { authCode, state, iss }: ReceivedCode): Promise<string | undefined> => {
    if ((iss ?? state) !== undefined && !platform.isIssuer(iss)) {
      await authorizations.recordRefusal(caller, 'iss')
      throw iss === undefined ? issuerMissing() : issuerRefused()
    }
    if (state === undefined) return undefined
    const verifier = await authorizations.redeem(caller, state, authCode)
    if (verifier !== undefined) return verifier
    await authorizations.recordRefusal(caller, 'state')
    throw stateRefused()
  }

  const refuse = async (claim: Claim, refusal: Refusal): Promise<Outcome> => {
    const outcome: Outcome = { kind: 'refusal', refusal }
    await settle(claim, outcome)
    return outcome
  }

  const exchange = async (caller: Employee, claim: Claim, code: string, codeVerifier: string | undefined): Promise<Outcome> => {
    const tokens = await platform.exchange({ code, codeVerifier })
    if (tokens === 'refused') return refuse(claim, 'refused')
    const companies = (await platform.companies(tokens.accessToken)).filter(({ active }) => active)
    if (companies.length === 0) return refuse(claim, 'no-company')
    try {
      return await create(caller, claim, { tokens, companies })
    } catch (error) {
      if (error instanceof AppError && error.code === 'COMPANY_INTEGRATED') return refuse(claim, 'integrated')
      throw error
    }
  }

  return {
    ...others,
    choose,

    /** Begins an authorization, whose `state` is valid in this session for ten minutes. */
    async authorize(caller: Employee): Promise<{ readonly url: string; readonly state: string }> {
      const request = await platform.requestAuthorization()
      await authorizations.begin(caller, request)
      return request
    },

    /** Exchanges a code, and stores the outcome before it is answered. A repeated request gets the same outcome. */
    async connect(caller: Employee, received: ReceivedCode): Promise<Connected> {
      const verifier = await verifierOf(caller, received)
      const { authCode } = received
      const outcome = await codes.once(caller, authCode, (claim) => exchange(caller, claim, authCode, verifier))
      if (outcome.kind === 'refusal') throw refusals[outcome.refusal]()
      return outcome
    },

    remove: (caller: Employee, id: Id, expected?: number) => remove(caller, id, { revoke: platform.revokes, expected }),
  }
}

export type IntegrationService = ReturnType<typeof integrationService>
