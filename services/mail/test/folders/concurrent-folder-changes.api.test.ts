import type { Id } from '@caseway/kit/caller'
import type { TestTenant } from '@caseway/testing'
import { type Held, holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { customFolder } from '../../src/received-messages/target-folder.js'
import { arrived, newMailbox, officeWithMail, store, storeOne, type TestMailbox } from '../support/mailbox.js'
import { done, path, receivedMessages } from '../support/received-messages.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
let custom: Id
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
  custom = await folder()
})

const { expert, put, get, folder, counts } = receivedMessages(service, () => here)
const inFolder = (message = {}) => storeOne(engine, box, customFolder(custom), message)
const hold = (table: string, id: Id) => holdTransaction(service.database, `SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id])
/** Locks a row, and fails where another transaction has locked it. */
const lock = (held: Held, table: string, id: Id) => held.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE NOWAIT`, [id])
const deleted = () => expert().delete(`/mail_folder/${custom}`)

describe('what waits for a folder that is being deleted holds nothing that the deletion needs', () => {
  it('a move of messages of which one is there already', async () => {
    const [there, other] = [await inFolder(), await storeOne(engine, box, 'OTHERS')]
    const deletion = await hold('mail_folders', custom)
    const move = expert().put(path, { MailReceivedMysqlMessage: { ids: [there, other].map(Number), mail_folder_id: Number(custom) } })
    await untilWaiting(service.database, 1)
    await lock(deletion, 'mail_received_messages', there)
    await deletion.commit()
    expect((await move).body).toEqual(done)
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 2 })
  })

  it('a batch of messages of which one is there already, and was read on the server', async () => {
    const there = await inFolder({ bytes: 'read' })
    const deletion = await hold('mail_folders', custom)
    const arrival = store(
      engine,
      box,
      arrived(box, customFolder(custom), { bytes: 'read', seen: true }),
      arrived(box, customFolder(custom)),
    )
    await untilWaiting(service.database, 1)
    await lock(deletion, 'mail_received_messages', there)
    await deletion.commit()
    expect(await arrival).toMatchObject({ stored: 1, duplicates: 1 })
    expect(await counts()).toEqual({ [`${here.expert.userId} CUSTOM ${custom}`]: 1 })
  })

  it('a rule that is sent back as it was read', async () => {
    const rule = { name: 'A rule', mail_folder_id: Number(custom), conditions: [{ field: 'from', operator: 'contains', value: 'x' }] }
    const { body } = await expert().post<{ id: number }>('/mail_folder_rule', { MailFolderRule: rule })
    const deletion = await hold('mail_folders', custom)
    const change = expert().put(`/mail_folder_rule/${body.id}`, { MailFolderRule: rule })
    await untilWaiting(service.database, 1)
    await lock(deletion, 'mail_folder_rules', BigInt(body.id))
    await deletion.commit()
    expect((await change).body).toEqual(done)
  })
})

it('the deletion of a folder locks its messages in their order, as other changes do', async () => {
  const [first, second] = [await storeOne(engine, box, 'OTHERS'), await inFolder({ internalDate: new Date(0) })]
  // Behind the second in the table, as well as in each index by time.
  await put(first, { mail_folder_id: Number(custom) })
  const change = await hold('mail_received_messages', first)
  const deletion = deleted()
  await untilWaiting(service.database, 1)
  await lock(change, 'mail_received_messages', second)
  await change.commit()
  expect((await deletion).body).toEqual(done)
  for (const id of [first, second]) expect(await get(id)).toMatchObject({ folder_name: 'OTHERS' })
  expect(await counts()).toEqual({ [`${here.expert.userId} OTHERS 0`]: 2 })
})
