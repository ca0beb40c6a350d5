import { type Caller, subjectKey, subjectOf } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import type { Account, Person } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import { type LoginFailures, presentSecondFactor } from '../limits/login-failures.js'
import type { OwnPasswordService } from '../passwords/own-password.service.js'
import type { SessionService } from '../sessions/session.service.js'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.js'
import type { SecondFactorRepository } from './second-factor.repository.js'
import type { SecondFactorService } from './second-factor.service.js'
import { demanded, noOtp, notBegun, wrongOtp } from './second-factor-errors.js'
import { matchingStep, newTotpSecret, provisioningUri, secretAsText } from './totp.client.js'

interface Parts {
  readonly factors: SecondFactorRepository
  readonly secondFactors: Pick<SecondFactorService, 'judge'>
  readonly accounts: Pick<AccountService, 'byId'>
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly ownPasswords: Pick<OwnPasswordService, 'requireCurrent'>
  readonly failures: LoginFailures
  readonly audit: Audit
}

/** What a caller shows before their second factor is changed: a stolen token must not be enough. */
export interface Credentials {
  readonly currentPassword: string
  readonly otp?: string | undefined
}

/** Of a route that only people may call. */
const personOf = (caller: Caller) => subjectOf(caller) as Person

const attemptOf = (person: Person) => ({ account: presentSecondFactor(person), networks: [subjectKey(person)] })

const isRequired = (account: Account | null) => account?.secondFactor.required ?? false

/** The second factor that a caller has, sets up and gives up. */
export const ownSecondFactorService = (parts: Parts) => {
  const { factors, secondFactors, accounts, sessions, ownPasswords, failures, audit } = parts

  const refused = async (subject: Person) => {
    await audit.record({ kind: 'second_factor.refused', subject })
    return wrongOtp()
  }

  /**
   * Asks for the password, and a code where the person has a second factor; `work` runs in the transaction in which both still are right.
   * @throws AppError `invalid`, `limit`
   */
  const authenticated = async <T>(caller: Caller, { currentPassword, otp }: Credentials, work: () => Promise<T>): Promise<T> => {
    const person = personOf(caller)
    const attempt = attemptOf(person)
    const stillCurrent = await ownPasswords.requireCurrent(caller, currentPassword)
    const judged = await factors.exclusively(person, async () => {
      await stillCurrent()
      const verdict = await secondFactors.judge(person, otp, attempt)
      if (verdict === 'missing') throw noOtp()
      return verdict === 'wrong' ? null : { verdict, result: await work() }
    })
    if (!judged) throw await refused(person)
    if (judged.verdict !== 'not needed') await failures.clear(attempt)
    return judged.result
  }

  /** Has the same effect as another password. */
  const settle = async (caller: Caller, kind: 'second_factor.enabled' | 'second_factor.disabled') => {
    const subject = personOf(caller)
    await sessions.endAll(subject, caller.sessionId)
    await audit.record({ kind, subject })
  }

  /** Recovery codes of which only the hashes are kept. */
  const codesFor = async (keep: (hashes: Uint8Array<ArrayBuffer>[]) => Promise<unknown>): Promise<string[]> => {
    const codes = newRecoveryCodes()
    await keep(codes.map(hashRecoveryCode))
    return codes
  }

  return {
    async get(caller: Caller) {
      const person = personOf(caller)
      const [account, state] = await Promise.all([accounts.byId(person), factors.stateOf(person)])
      return { confirmed: state?.confirmed ?? null, recoveryCodesLeft: state?.recoveryCodesLeft ?? 0, required: isRequired(account) }
    },

    /** A new secret, which signs in when it is confirmed. Whoever has a second factor already keeps it until then. */
    async begin(caller: Caller, credentials: Credentials): Promise<{ secret: string; uri: string }> {
      const person = personOf(caller)
      return authenticated(caller, credentials, async () => {
        const account = await accounts.byId(person)
        if (!account) throw notFound()
        const secret = newTotpSecret()
        await factors.begin(person, secret)
        await audit.record({ kind: 'second_factor.begun', subject: person })
        return { secret: secretAsText(secret), uri: provisioningUri(secret, account.email) }
      })
    },

    /**
     * The authenticator app has the secret. All other sessions of the person end.
     * @returns the recovery codes, which are not shown again
     * @throws AppError `conflict` when none is being set up, `invalid` when the code is wrong, `limit`
     */
    async confirm(caller: Caller, otp: string): Promise<string[]> {
      const person = personOf(caller)
      const attempt = attemptOf(person)
      const codes = await factors.exclusively(person, async () => {
        const pending = await factors.pending(person)
        if (!pending) throw notBegun()
        await failures.check(attempt)
        const step = matchingStep(pending.secret, otp, new Date())
        if (step === undefined) return void (await failures.note(attempt))
        const codes = await codesFor((hashes) => factors.confirm(person, pending, step, hashes))
        await settle(caller, 'second_factor.enabled')
        return codes
      })
      if (!codes) throw await refused(person)
      await failures.clear(attempt)
      return codes
    },

    /** The recovery codes before them are good no more. @throws AppError as `remove` */
    async renewCodes(caller: Caller, credentials: Credentials): Promise<string[]> {
      const person = personOf(caller)
      return authenticated(caller, credentials, async () => {
        const factor = await factors.active(person)
        if (!factor) throw notFound()
        await audit.record({ kind: 'recovery_codes.renewed', subject: person })
        return codesFor((hashes) => factors.replaceCodes(factor, hashes))
      })
    },

    /**
     * All other sessions of the person end.
     * @throws AppError `invalid`, `limit`, `not-found` when there is none, `conflict` when the office demands one
     */
    async remove(caller: Caller, credentials: Credentials): Promise<void> {
      const person = personOf(caller)
      if (isRequired(await accounts.byId(person))) throw demanded()
      await authenticated(caller, credentials, async () => {
        if (!(await factors.remove(person))) throw notFound()
        await settle(caller, 'second_factor.disabled')
      })
    },
  }
}

export type OwnSecondFactorService = ReturnType<typeof ownSecondFactorService>
