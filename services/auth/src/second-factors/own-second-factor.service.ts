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

/** The credentials for a change of the second factor, for which a token alone must not suffice. */
export interface Credentials {
  readonly currentPassword: string
  readonly otp?: string | undefined
}

/** The caller of a route that only people may call. */
const personOf = (caller: Caller) => subjectOf(caller) as Person

const attemptOf = (person: Person) => ({ account: presentSecondFactor(person), networks: [subjectKey(person)] })

const isRequired = (account: Account | null) => account?.secondFactor.required ?? false

/** The caller's own second factor. */
export const ownSecondFactorService = (parts: Parts) => {
  const { factors, secondFactors, accounts, sessions, ownPasswords, failures, audit } = parts

  const refused = async (subject: Person) => {
    await audit.record({ kind: 'second_factor.refused', subject })
    return wrongOtp()
  }

  /**
   * Checks the password, and a code if the person has a second factor. `work` runs in a transaction in which both are still valid.
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

  /** Ends the other sessions of the person, as a new password does, and records the change. */
  const settle = async (caller: Caller, kind: 'second_factor.enabled' | 'second_factor.disabled') => {
    const subject = personOf(caller)
    await sessions.endAll(subject, caller.sessionId)
    await audit.record({ kind, subject })
  }

  /** Makes recovery codes, and stores their hashes by `keep`. @returns the codes in plain text */
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

    /**
     * Makes a new secret, which is used for signing in once it is confirmed. Until then an existing second factor remains valid.
     * @throws AppError `invalid`, `limit`
     */
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
     * Confirms the new secret by a first code of the authenticator app, and ends all other sessions of the person.
     * @returns the recovery codes, which cannot be shown again
     * @throws AppError `conflict` when no setup was begun in the last ten minutes, `invalid` when the code is wrong, `limit`
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

    /** Replaces the recovery codes. @throws AppError `invalid`, `limit`, `not-found` when there is no second factor */
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
     * Removes the second factor, and ends all other sessions of the person.
     * @throws AppError `invalid`, `limit`, `not-found` when there is none, `conflict` when the office requires one
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
