import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { office, type ParamOf, prepared, resourceReads, type SealedColumn, sql } from '@caseway/kit/database'
import { forbidden } from '@caseway/kit/errors'
import type { Sealer } from '@caseway/kit/secrets'
import type { Db, Tx } from '../database.js'
import { type Mailbox, protocols } from '../mail-connections/mailbox-access.js'
import { keepFormer, takeFormer } from './former-mailbox.repository.js'
import type { GrantUse } from './grant-use.repository.js'
import { mask } from './mail-server.js'
import { type MailServer, type MailServerChanges, mailServerResource, type NewMailServer } from './mail-server.resource.js'
import { mailServerSecrets } from './mail-server-secrets.js'

/** A mailbox as it is stored, with the name of the OAuth 2.0 provider that replaces its password. */
export type StoredMailbox = Mailbox & { readonly oauthProvider: string | null }

/** Runs in the transaction that creates, changes or resumes a mailbox; `isAnother` where its server, protocol or login has changed. */
export type Changed = (tx: Tx, mailbox: { customerId: Id; id: Id; serverProtocol: number; isAnother?: boolean }) => Promise<void>

/** Runs in the transaction that deletes a sending mailbox, or makes it receive. */
export type SendingEnded = (tx: Tx, customerId: Id, id: Id) => Promise<void>

type Row = Omit<StoredMailbox, 'credentials'> & { readonly password: Uint8Array | null }

/** A prepared statement, because each receiving mailbox is read every minute. */
const rowToOpen = prepared(
  (param: ParamOf<{ customerId: Id; id: Id }>) => sql<Row>`
    SELECT id, customer_id AS "customerId", user_id AS "userId", user_email AS "userEmail", user_login AS "userLogin", state,
      server_protocol AS "serverProtocol", server_address AS "serverAddress", server_port AS "serverPort", server_encryption AS "serverEncryption",
      download_attachments AS "downloadAttachments", oauth_provider AS "oauthProvider", fetch_after_date::text AS "fetchAfterDate", password
    FROM mail_servers
    WHERE id = ${param(({ id }) => id)} AND customer_id = ${param(({ customerId }) => customerId)}`,
)

async function newId(tx: Tx): Promise<Id> {
  const [next] = await tx.$queryRaw<{ id: Id }[]>`SELECT nextval(pg_get_serial_sequence('mail_servers', 'id')) AS id`
  return (next as { id: Id }).id
}

interface Effects {
  readonly onChange: Changed
  readonly onSendingEnded: SendingEnded
  readonly grantUse: GrantUse
}

export const mailServerRepository = (db: Db, sealer: Sealer, { onChange, onSendingEnded, grantUse }: Effects) => {
  const reads = resourceReads(db, mailServerResource)
  const { seal, open, identityOf } = mailServerSecrets(sealer)
  const audit = (tx: Tx, kind: string, id: Id, details = {}) =>
    publishAudit(tx, { kind: `mail_server.${kind}`, subject: { kind: 'mail_server', id }, details })

  const opened = (id: Id, password: Uint8Array | null): [Id, string][] => {
    try {
      return password ? [[id, open(password, id)]] : []
    } catch {
      return []
    }
  }

  /** Locks the row. @throws AppError `forbidden` where it is a colleague's */
  const lockOwn = async (tx: Tx, caller: Employee, id: Id, expected?: number) => {
    const row = await reads.lock(tx, caller, id, expected)
    if (row.userId !== caller.userId) throw forbidden()
    return row
  }

  return {
    ...reads,

    create: ({ customerId, userId }: Employee, input: NewMailServer & { serverEncryption: number }): Promise<Id> =>
      db.write(office(customerId), async (tx) => {
        const { serverProtocol, userEmail, oauthProvider = null } = input
        const state = await grantUse.started(tx, { customerId, userId, userEmail, oauthProvider })
        const former = await takeFormer(tx, { ...input, customerId, userId })
        // Secrets are encrypted for the id of their row.
        const id = former?.id ?? (await newId(tx))
        const version = former ? former.lastVersion + 1 : 1
        await tx.mailServer.create({
          data: { userName: '', ...columnsOf(input), ...sealedOf(seal, id, input), ...state, id, customerId, userId, version },
        })
        await audit(tx, 'created', id)
        await onChange(tx, { customerId, id, serverProtocol })
        return id
      }),

    /** @param judge throws for changes that do not fit the stored mailbox */
    change: (
      caller: Employee,
      id: Id,
      changes: MailServerChanges,
      expected: number | undefined,
      judge: (before: MailServer) => void,
    ): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const before = await lockOwn(tx, caller, id, expected)
        judge(before)
        const secret = sealedOf(seal, id, changes)
        const started = await grantUse.started(tx, { ...before, ...changes, ...secret })
        const state = before.state === 'paused' ? 'paused' : started.state
        await tx.mailServer.update({ where: { id, customerId }, data: { ...columnsOf(changes), ...secret, ...started, state } })
        await grantUse.endUnused(tx, before)
        await audit(tx, 'changed', id, { fields: Object.keys(changes).join(' ') })
        if ('password' in secret) await audit(tx, 'password_changed', id)
        const { serverProtocol, serverAddress, userLogin } = { ...before, ...changes }
        const isOtherProtocol = serverProtocol !== before.serverProtocol
        const isAnother = isOtherProtocol || serverAddress !== before.serverAddress || userLogin !== before.userLogin
        await onChange(tx, { customerId, id, serverProtocol, isAnother })
        if (isOtherProtocol && before.serverProtocol === protocols.smtp) await onSendingEnded(tx, customerId, id)
      }),

    /** Deletes a mailbox. Its received messages stay, and belong to it again if it is created again. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await lockOwn(tx, caller, id, expected)
        await tx.mailServer.delete({ where: { id, customerId: caller.customerId } })
        await keepFormer(tx, before)
        if (before.serverProtocol === protocols.smtp) await onSendingEnded(tx, before.customerId, id)
        await grantUse.endUnused(tx, before)
        await audit(tx, 'deleted', id)
      }),

    pause: (caller: Employee, id: Id): Promise<void> =>
      db.write(caller, async (tx) => {
        await lockOwn(tx, caller, id)
        await tx.mailServer.update({ where: { id, customerId: caller.customerId }, data: { state: 'paused' } })
        await audit(tx, 'paused', id)
      }),

    resume: (caller: Employee, id: Id): Promise<void> =>
      db.write(caller, async (tx) => {
        const { customerId } = caller
        const server = await lockOwn(tx, caller, id)
        await tx.mailServer.update({ where: { id, customerId }, data: await grantUse.started(tx, server) })
        await audit(tx, 'resumed', id)
        await onChange(tx, { customerId, id, serverProtocol: server.serverProtocol })
      }),

    /** The passwords of those of the mailboxes that are the caller's own. One that cannot be decrypted is left out, so that it stays masked. */
    async passwordsOf({ customerId, userId }: Employee, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>> {
      const where = { customerId, userId, id: { in: [...ids] }, password: { not: null } }
      const rows = await db.read(office(customerId)).mailServer.findMany({ where, select: { id: true, password: true } })
      return new Map(rows.flatMap(({ id, password }) => opened(id, password)))
    },

    /** The mailbox with its decrypted password; null where the office has none with this id. */
    async toOpen(customerId: Id, id: Id): Promise<StoredMailbox | null> {
      const [found] = await db.query(office(customerId), rowToOpen({ customerId, id }))
      if (!found) return null
      const { password, ...row } = found
      return { ...row, credentials: { password: password ? open(password, id) : '' } }
    },

    sealed: ['password', 'oauth'].map(
      (column): SealedColumn => ({ table: 'mail_servers', key: { column: 'id', type: 'bigint' }, column, identityOf, sealer }),
    ),
  }
}

type Seal = ReturnType<typeof mailServerSecrets>['seal']

/** The columns for a password that was sent; none where it was not. */
const sealedOf = (seal: Seal, id: Id, { userPassword }: { userPassword?: string | null }) => {
  if (userPassword === undefined) return {}
  return userPassword === null
    ? { password: null, userPassword: null }
    : { password: seal(userPassword, id), userPassword: mask, oauthProvider: null }
}

/** The columns that were sent, except the password, in Prisma's types. */
const columnsOf = <Sent extends { fetchAfterDate?: string | null; userPassword?: string | null }>(sent: Sent) => {
  const { fetchAfterDate: day, userPassword: _, ...columns } = sent
  return day === undefined ? columns : { ...columns, fetchAfterDate: day === null ? null : new Date(day) }
}

export type MailServerRepository = ReturnType<typeof mailServerRepository>
