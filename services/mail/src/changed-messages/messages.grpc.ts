import { type Employee, type EmployeeRole, employees, type Id } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { unary } from '@caseway/kit/grpc'
import { type MessageServiceServer, MessageServiceService } from '@caseway/protos/mail/v1/messages'
import { isMailRole } from '../mail-servers/mail-roles.js'

interface Identified {
  readonly id: Id
}

type Encode<Row> = (row: Row, zone: string) => object

interface Parts<Received, Sent> {
  readonly received: {
    some(caller: Employee, ids: readonly Id[]): Promise<{ readonly found: readonly Received[]; readonly gone: ReadonlySet<Id> }>
    readonly encode: Encode<Received>
  }
  readonly sent: {
    some(caller: Employee, ids: readonly Id[]): Promise<readonly Sent[]>
    readonly encode: Encode<Sent>
  }
  readonly timeZoneOf: (customerId: Id) => Promise<string>
}

const isEmployee = (role: string): role is EmployeeRole => employees.some((one) => one === role)

/** Bodies are left out: one may be larger than everything else in a stream. */
const withoutBody = (record: object) => {
  const { MailSentMysqlMessage, ...beside } = record as { readonly MailSentMysqlMessage: Readonly<Record<string, unknown>> }
  const { mail_body: _, ...shown } = MailSentMysqlMessage
  return { MailSentMysqlMessage: shown, ...beside }
}

const byId = <Row extends Identified>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]))

export function messagesGrpc<Received extends Identified, Sent extends Identified>({
  received,
  sent,
  timeZoneOf,
}: Parts<Received, Sent>): readonly [typeof MessageServiceService, MessageServiceServer] {
  const receivedRecords = async (caller: Employee, ids: readonly Id[], zone: string) => {
    if (ids.length === 0) return []
    const { found, gone } = await received.some(caller, ids)
    const rows = byId(found)
    return ids.flatMap((id) => {
      const row = rows.get(id)
      if (row) return [received.encode(row, zone)]
      return gone.has(id) ? [{ MailReceivedMysqlMessage: { id: String(id) } }] : []
    })
  }

  const sentRecords = async (caller: Employee, ids: readonly Id[], zone: string) => {
    if (ids.length === 0 || !isMailRole(caller.role)) return []
    const rows = byId(await sent.some(caller, ids))
    return ids.map((id) => {
      const row = rows.get(id)
      return row ? withoutBody(sent.encode(row, zone)) : { MailSentMysqlMessage: { id: String(id) } }
    })
  }

  return [
    MessageServiceService,
    {
      getMessages: unary(async ({ customerId, userId, role, receivedIds, sentIds }) => {
        if (!isEmployee(role)) throw invalid({ role: 'is none of an employee' })
        const caller: Employee = { audience: 'expert', customerId, userId, role, sessionId: '' }
        const zone = await timeZoneOf(customerId)
        const records = await Promise.all([receivedRecords(caller, receivedIds, zone), sentRecords(caller, sentIds, zone)])
        return { records: records.flat().map((record) => JSON.stringify(record)) }
      }),
    },
  ]
}
