import { type Client, subjectOf } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { OwnPasswordChange, OwnPasswordService } from '../passwords/own-password.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { OwnAccountRepository } from './own-account.repository.js'
import type { OwnAccountChanges } from './own-account.resource.js'

type OwnChanges = OwnAccountChanges & OwnPasswordChange & { readonly email?: string }

/** A client's own account. */
export const ownAccountService = (
  account: OwnAccountRepository,
  ownPasswords: OwnPasswordService,
  sessions: Pick<SessionService, 'endAll'>,
  audit: Audit,
  mails: Pick<AccountMailService, 'confirmAddress'>,
) => ({
  get: account.get,

  /**
   * A new password or address requires the current password. A new password ends all other sessions; while it has expired, nothing else can be changed. A
   * new address takes effect when the link that is mailed to it is opened.
   * @throws AppError as `ownPasswords`; `stale`
   */
  async change(caller: Client, { email, password, currentPassword, ...changes }: OwnChanges, expected?: number) {
    const { stored, stillCurrent } = await ownPasswords.stored(caller, { password, currentPassword })
    const wanted = email !== undefined && email !== (await account.get(caller)).email ? email : undefined
    const proven = wanted !== undefined && password === undefined ? await ownPasswords.prove(caller, currentPassword) : stillCurrent
    await account.change(caller, { ...changes, ...stored }, expected, {
      ...(proven && { authorize: proven }),
      async settle() {
        if (wanted !== undefined) await mails.confirmAddress({ kind: 'client', id: caller.userId }, wanted)
        if (password === undefined) return
        const subject = subjectOf(caller)
        await sessions.endAll(subject, caller.sessionId)
        await audit.record({ kind: 'password.changed', subject })
      },
    })
  },
})

export type OwnAccountService = ReturnType<typeof ownAccountService>
