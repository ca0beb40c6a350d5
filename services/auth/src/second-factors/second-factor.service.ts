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

/** The result of a code: not needed; accepted, as one of two kinds; missing; or wrong, which counts as a failure. */
export type Verdict = 'not needed' | 'totp' | 'recovery_code' | 'missing' | 'wrong'

/** One-time passwords (TOTP, RFC 6238) in addition to the password, and recovery codes for people who lose their authenticator app. */
export const secondFactorService = ({ factors, sessions, failures }: Parts) => {
  const spend = async (factor: SecondFactor, code: string): Promise<Verdict> => {
    const step = matchingStep(factor.secret, code, new Date())
    if (step !== undefined) return (await factors.useStep(factor, step)) ? 'totp' : 'wrong'
    return (await factors.useCode(factor, hashRecoveryCode(code))) ? 'recovery_code' : 'wrong'
  }

  return {
    /**
     * Checks a code and uses it up. To be called in a transaction in which the account is locked, so that concurrent attempts cannot exceed the limit, and
     * a code is accepted once.
     * @throws AppError `limit` after too many wrong codes
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
     * Removes the second factor of a person who has lost it, so that the password alone signs in, and ends all of their sessions.
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
