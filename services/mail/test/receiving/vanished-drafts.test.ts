import { office } from '@caseway/kit/database'
import type { TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { remoteFolderRepository } from '../../src/receiving/folders/remote-folder.repository.js'
import { arrived, countsOf, newMailbox, officeWithMail, store, type TestMailbox } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'
import { storedMessages } from '../support/stored-messages.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = officeWithMail(service)
  box = await newMailbox(engine, here, here.expert.userId)
})

const { messages, places } = storedMessages(service, () => here)
const http = () => service.asExpert(here.expert)

/** Removes the place of a draft, or with `all` the folder, as when it is gone from the server. */
async function vanish({ place }: ReturnType<typeof arrived>, all = false) {
  const { remoteFolderId, epoch, uid } = place
  const folders = remoteFolderRepository(engine.db)
  const folder = await engine.db.read(office(here.customerId)).remoteFolder.findFirstOrThrow({ where: { id: remoteFolderId } })
  await engine.db.write(office(here.customerId), (tx) =>
    engine.intake.draftsVanished(tx, here.customerId, { remoteFolderId, epoch, uids: all ? null : [uid] }, () =>
      all ? folders.remove(tx, folder) : folders.forget(tx, folder, [uid]),
    ),
  )
}

const isCountedRight = async (drafts: number) => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  expect(kept[`${box.userId} DRAFTS 0`] ?? 0).toBe(drafts)
}

it('a draft that is gone from its server is in TRASH, is not counted, and can be restored', async () => {
  const [gone, left] = [arrived(box, 'DRAFTS', { seen: true }), arrived(box, 'DRAFTS')]
  await store(engine, box, gone, left)
  await isCountedRight(2)
  await vanish(gone)
  expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }, { folder_name: 'DRAFTS' }])
  expect(await places()).toHaveLength(1)
  await isCountedRight(1)
  const [{ id } = { id: '' }] = await messages()
  const { body } = await http().get<{ MailTrace: object[] }>(`/mail_received_mysql_message/${id}/trace`)
  const reason = { by: 'vanished', from: { folder: 'DRAFTS' }, folder: 'TRASH' }
  expect(body.MailTrace.at(-1)).toMatchObject({ kind: 'moved', reason })
  expect((await http().post(`/mail_received_mysql_message/${id}/restore`)).status).toBe(200)
  await isCountedRight(2)
})

it('a draft that has another place on its server stays', async () => {
  const [first, second] = [arrived(box, 'DRAFTS', { bytes: 'same' }), arrived(box, 'DRAFTS', { bytes: 'same' })]
  await store(engine, box, first)
  await store(engine, box, second)
  await vanish(first)
  expect(await messages()).toMatchObject([{ folder_name: 'DRAFTS' }])
  await vanish(second)
  expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }])
  await isCountedRight(0)
})

it('a message that somebody moved out of DRAFTS here stays where it is', async () => {
  const draft = arrived(box, 'OTHERS', { seen: false })
  await store(engine, box, draft)
  await vanish(draft)
  expect(await messages()).toMatchObject([{ folder_name: 'OTHERS' }])
  await isCountedRight(0)
})

it('drafts of a folder that is gone from its server are in TRASH', async () => {
  const [first, second] = [arrived(box, 'DRAFTS'), arrived(box, 'DRAFTS')]
  await store(engine, box, first, second)
  await vanish(first, true)
  expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }, { folder_name: 'TRASH' }])
  expect(await places()).toEqual([])
  await isCountedRight(0)
})

describe('a vanished draft that is found at another place on its server', () => {
  const comesTo = (specialUse: string | null) => store(engine, box, arrived(box, 'OTHERS', { bytes: 'same', specialUse, seen: true }))
  const traceOf = async () => {
    const [{ id } = { id: '' }] = await messages()
    const { body } = await http().get<{ MailTrace: object[] }>(`/mail_received_mysql_message/${id}/trace`)
    return body.MailTrace.at(-1)
  }

  beforeEach(async () => {
    const draft = arrived(box, 'DRAFTS', { bytes: 'same' })
    await store(engine, box, draft)
    await vanish(draft)
  })

  it.each([null, 'drafts', 'archive'])('was moved there, and is in DRAFTS again (%s)', async (specialUse) => {
    expect(await comesTo(specialUse)).toMatchObject({ stored: 0, duplicates: 1 })
    expect(await messages()).toMatchObject([{ folder_name: 'DRAFTS', is_read: true, before: null }])
    await isCountedRight(1)
    const reason = { by: 'returned', from: { folder: 'TRASH' }, folder: 'DRAFTS' }
    expect(await traceOf()).toMatchObject({ kind: 'moved', reason })
  })

  it('stays in TRASH where that place is the trash', async () => {
    await comesTo('trash')
    expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }])
    await isCountedRight(0)
    await comesTo('drafts')
    await isCountedRight(1)
  })

  it('stays in TRASH where a user has moved it there since', async () => {
    const [{ id } = { id: '' }] = await messages()
    await http().post(`/mail_received_mysql_message/${id}/restore`)
    await http().delete(`/mail_received_mysql_message/${id}`)
    await comesTo('drafts')
    expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }])
    await isCountedRight(0)
  })

  it('stays in TRASH where a user is moving it there at the same time', async () => {
    const moved = `
      WITH moved AS (UPDATE mail_received_messages SET before = NULL WHERE customer_id = $1 RETURNING id, customer_id, mail_server_id)
      INSERT INTO mail_traces (customer_id, message_id, mail_server_id, kind, reason)
      SELECT customer_id, id, mail_server_id, 'moved', '{"by": "moved"}' FROM moved`
    const held = await holdTransaction(service.database, moved, [here.customerId])
    const found = comesTo('drafts')
    await untilWaiting(service.database, 1)
    await held.commit()
    await found
    expect(await messages()).toMatchObject([{ folder_name: 'TRASH' }])
    await isCountedRight(0)
  })

  it('stays removed where it was removed for good', async () => {
    const [{ id } = { id: '' }] = await messages()
    await http().delete(`/mail_received_mysql_message/${id}`)
    await comesTo('drafts')
    expect(await messages()).toMatchObject([{ removed: true }])
    await isCountedRight(0)
  })
})
