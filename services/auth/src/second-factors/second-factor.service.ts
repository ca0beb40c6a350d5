import type { Person } from '../accounts/account.js'
import type { Attempt, LoginFailures } from '../limits/login-failures.js'
import type { SessionService } from '../sessions/session.service.js'
import { hashRecoveryCode } from './recovery-code.js'
import type { SecondFactor, SecondFactorRepository } from './second-factor.repository.js'
import { matchingStep } from './totp.client.js'

interface Parts {
  readonly factors: SecondFactorRepository
  readonly sessions: Pick<SessionService, 'endAll'>
  readonly failures: LoginFailures
}

/** What comes of a code: none is needed, it was one of two kinds and is used up, it is missing, or it is wrong and counts as a failure. */
export type Verdict = 'not needed' | 'totp' | 'recovery_code' | 'missing' | 'wrong'

/** One-time passwords (TOTP, RFC 6238) beside the password, and recovery codes for whoever has lost the phone that makes them. */
export const secondFactorService = ({ factors, sessions, failures }: Parts) => {
  const spend = async (factor: SecondFactor, code: string): Promise<Verdict> => {
    const step = matchingStep(factor.secret, code, new Date())
    if (step !== undefined) return (await factors.useStep(factor, step)) ? 'totp' : 'wrong'
    return (await factors.useCode(factor, hashRecoveryCode(code))) ? 'recovery_code' : 'wrong'
  }

  return {
    /**
     * Uses up a code. To be called in a transaction in which the account is locked: of codes at the same time no more than the limits allow
     * are compared, and of equal ones only the first is right.
     * @throws AppError `limit` after too many wrong ones
     */
    async judge(person: Person, code: string | undefined, attempt: Attempt): Promise<Verdict> {
      const factor = await factors.active(person)
      if (!factor) return 'not needed'
      if (code === undefined) return 'missing'
      await failures.check(attempt)
      const verdict = await spend(factor, code)
      if (verdict === 'wrong') await failures.note(attempt)
      return verdict
    },

    /**
     * For somebody who has lost it: the password alone signs in. Every session of the person ends.
     * @returns false when they had none
     */
    reset: (person: Person): Promise<boolean> =>
      factors.exclusively(person, async () => {
        if (!(await factors.remove(person))) return false
        await sessions.endAll(person)
        return true
      }),

    reseal: factors.reseal,
  }
}

export type SecondFactorService = ReturnType<typeof secondFactorService>
