import { AppError, invalid } from '@caseway/kit/errors'
import { date, dayAt, flagInteger, idInteger, integer, type Kind, nullable, once, required } from '@caseway/kit/fields'
import { action, type Body, type Routes, resourceRoutes, wrappedBody } from '@caseway/kit/http'
import Type from 'typebox'
import { backfillOf, commandIds, rightOfFolder } from './mail-command.js'
import { mailCommandResource } from './mail-command.resource.js'
import type { MailCommandService, NewMailCommand } from './mail-command.service.js'

/** Accepts any value: only command 4 validates it, with error texts of its own. */
const unchecked = <Value>(kind: Kind<Value>): Kind<unknown> => ({ ...kind, nullable: true, decode: (wire) => wire, encode: String })

const folder: Kind<string> = { ...date, input: { type: 'string', enum: Object.keys(rightOfFolder) } }

const command = integer({ min: commandIds.receive, max: commandIds.backfill })

const ofBackfill = { folder_name: once(nullable(unchecked(folder))), fetch_after_date: once(nullable(unchecked(date))) }

const sent = wrappedBody('MailCommand', {
  command_id: required(command),
  mail_server_id: required(idInteger),
  ...ofBackfill,
  dry_run: once(flagInteger),
})

/** The fields that decide about a backfill, without validation. */
const createBody = wrappedBody('MailCommand', { command_id: once(nullable(unchecked(command))), ...ofBackfill })

/**
 * Reads the body.
 * @param wrong the error texts of fields that are known to be wrong
 * @throws AppError `invalid` that names these fields as well, where another one is wrong
 */
function readBeside(wrong: Readonly<Record<string, string>>, wire: unknown, zone: string) {
  try {
    return sent.read(wire, zone)
  } catch (error) {
    throw error instanceof AppError && error.fields ? invalid({ ...error.fields, ...wrong }) : error
  }
}

const body: Body<NewMailCommand> = {
  schema: sent.schema,
  read(wire, zone) {
    const today = dayAt(new Date(), zone)
    const { commandId: id, ...range } = createBody.read(wire, zone)
    const read = backfillOf(range, today)
    const wrong = 'wrong' in read && command.decode(id, zone) === commandIds.backfill ? read.wrong : {}
    const { commandId, mailServerId, dryRun = false } = readBeside(wrong, wire, zone)
    if (commandId === commandIds.receive || commandId === commandIds.send) return { commandId, mailServerId }
    if ('wrong' in read) throw invalid(read.wrong)
    return { commandId: commandIds.backfill, mailServerId, backfill: read.backfill, dryRun, today }
  },
}

const created = Type.Object({ id: Type.Integer() }, { description: 'Created.' })

export const mailCommandRoutes = ({ list, get, create, remove }: MailCommandService): Routes => [
  resourceRoutes(mailCommandResource, { list, get, remove }),
  action(
    mailCommandResource,
    {
      ...{ method: 'POST', path: '', operationId: 'createMailCommand', body, answers: { 201: created }, errors: [404] },
      summary: 'Receives now (2), sends now (3), or fetches older messages of one folder (4).',
    },
    ({ caller, body }) => create(caller, body),
  ),
]
