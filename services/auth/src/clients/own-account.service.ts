import { type Client, subjectOf } from '@caseway/kit/caller'
import type { Audit } from '../audit/audit-event.service.js'
import type { OwnPasswordChange, OwnPasswordService } from '../passwords/own-password.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { OwnAccountRepository } from './own-account.repository.js'
import type { OwnAccountChanges } from './own-account.resource.js'

/** A client's own account. */
export const ownAccountService = (
  account: OwnAccountRepository,
  ownPasswords: OwnPasswordService,
  sessions: Pick<SessionService, 'endAll'>,
  audit: Audit,
) => ({
  get: account.get,

  /** A new password needs the present one, and ends all other sessions. One that has expired has to be changed before anything else. */
  async change(caller: Client, { password, currentPassword, ...changes }: OwnAccountChanges & OwnPasswordChange, expected?: number) {
    const stored = await ownPasswords.stored(caller, { password, currentPassword })
    await account.change(caller, { ...changes, ...stored }, expected, async () => {
      if (password === undefined) return
      const subject = subjectOf(caller)
      await sessions.endAll(subject, caller.sessionId)
      await audit.record({ kind: 'password.changed', subject })
    })
  },
})

export type OwnAccountService = ReturnType<typeof ownAccountService>
