import { office } from '@caseway/kit/database'
import type { TestTenant } from '@caseway/testing'
import { afterAll, beforeEach, expect, it } from '@jest/globals'
import { remoteFolderRepository } from '../src/receiving/remote-folder.repository.js'
import { arrived, countsOf, newMailbox, officeWithMail, store, type TestMailbox } from './support/mailbox.js'
import { serviceWithEngine } from './support/service-with-engine.js'
import { storedMessages } from './support/stored-messages.js'

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

/** The place of a draft that is not on the server any more. */
async function vanish({ place }: ReturnType<typeof arrived>) {
  const { remoteFolderId, epoch, uid } = place
  const folders = remoteFolderRepository(engine.db)
  const folder = await engine.db.read(office(here.customerId)).remoteFolder.findFirstOrThrow({ where: { id: remoteFolderId } })
  await engine.db.write(office(here.customerId), (tx) =>
    engine.intake.draftsVanished(tx, box, { remoteFolderId, epoch, uids: [uid] }, () => folders.forget(tx, folder, [uid])),
  )
}

const isCountedRight = async (drafts: number) => {
  const { kept, counted } = await countsOf(service, here.customerId)
  expect(kept).toEqual(counted)
  expect(kept[`${box.userId} DRAFTS 0`] ?? 0).toBe(drafts)
}

it('a draft that is gone from its server is in TRASH, is counted no more, and can be restored', async () => {
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

it('a draft that is still somewhere else on its server stays', async () => {
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
