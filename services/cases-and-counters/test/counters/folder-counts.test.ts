import type { Subscription } from '@caseway/kit/events'
import { Folder, type FolderCountEvent } from '@caseway/protos/mail/v1/events'
import { folderCountTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'

let cases: Cases
let onGap: Subscription['onGap']
beforeAll(async () => {
  cases = await startCases({
    through: (transport) => ({
      ...transport,
      subscribe(subscription) {
        onGap ??= subscription.onGap
        return transport.subscribe(subscription)
      },
    }),
  })
})
afterAll(() => cases.stop())

it('of folders of mail are those of its snapshot where mail has lost later ones, and accept later events again', async () => {
  const { customerId, expert } = cases.office()
  const { userId } = expert
  cases.auth.rights.set(userId, ['mailbox.personal_mailbox'])
  const shown = async () => (await cases.asExpert(expert).get('/counter?object=MailReceivedMysqlMessage')).body
  const counting = (others: number, drafts: number, customFolders: object) => ({
    Counter: { MailReceivedMysqlMessage: { clients: 0, offices: 0, providers: 0, leads: 0, others, drafts, customFolders } },
  })
  const none = { customerId, userId, folderId: 0n, removed: false }
  const others: FolderCountEvent = { ...none, folder: Folder.OTHERS, count: 4, revision: 9n }
  const drafts: FolderCountEvent = { ...none, folder: Folder.DRAFTS, count: 1, revision: 5n }
  const custom: FolderCountEvent = { ...none, folder: Folder.CUSTOM, folderId: 11n, count: 3, revision: 3n }
  const deleted: FolderCountEvent = { ...custom, folderId: 12n, count: 0, removed: true }
  await cases.publish(folderCountTopic, others, drafts, custom, deleted)
  expect(await shown()).toEqual(counting(4, 1, { 11: 3 }))

  const stream = await cases.stream(expert, 'expert')
  cases.mail.counts = [
    { ...others, count: 2, revision: 6n },
    { ...custom, folderId: 12n, count: 7, revision: 2n },
  ]
  await onGap?.([folderCountTopic.name])
  await eventually(async () => expect(await shown()).toEqual(counting(2, 0, { 12: 7 })))
  await eventually(() => expect(JSON.parse(stream.events.at(-1)?.data ?? '{}')).toMatchObject(counting(2, 0, { 12: 7 })))
  await stream.close()

  await cases.publish(folderCountTopic, { ...others, count: 3, revision: 7n }, { ...drafts, revision: 1n })
  expect(await shown()).toEqual(counting(3, 1, { 12: 7 }))
})
