import { office } from '@caseway/kit/database'
import type { TestTenant } from '@caseway/testing'
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

describe('seen', () => {
  const seen = (place: ReturnType<typeof arrived>['place'], value: boolean) =>
    engine.db.write(office(here.customerId), (tx) => engine.intake.seen(tx, box, [{ place, seen: value }]))

  it('follows the server, and the counts with it', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    await seen(message.place, true)
    expect(await messages()).toMatchObject([{ is_read: true }])
    expect((await countsOf(service, here.customerId)).kept).toEqual({})
    await seen(message.place, true)
    await seen(message.place, false)
    expect((await countsOf(service, here.customerId)).kept).toEqual({ '0 CLIENTS 0': 1 })
  })

  it('applies only changes: a message at two places, read at one of them, stays read however often both are compared', async () => {
    const [first, second] = [arrived(box, 'CLIENTS', { bytes: 'the same' }), arrived(box, 'CLIENTS', { bytes: 'the same' })]
    await store(engine, box, first)
    await store(engine, box, second)
    expect(await places()).toHaveLength(2)
    expect(await messages()).toHaveLength(1)
    for (let compared = 0; compared < 2; compared++) {
      await seen(first.place, true)
      await seen(second.place, false)
      expect(await messages()).toMatchObject([{ is_read: true }])
    }
  })

  it('does not undo a flag that was set here and not yet on the server', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    const [{ id } = { id: '' }] = await messages()
    await service.asExpert(here.expert).put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } })
    expect(await places()).toMatchObject([{ seen: false, seen_to_set: true }])
    await seen(message.place, false)
    expect(await messages()).toMatchObject([{ is_read: true }])
    await seen(message.place, true)
    expect(await places()).toMatchObject([{ seen: true, seen_to_set: null }])
    await seen(message.place, false)
    expect(await messages()).toMatchObject([{ is_read: false }])
  })

  describe('of a message that comes to another place', () => {
    const one = (isSeen: boolean) => arrived(box, 'CLIENTS', { bytes: 'the same', seen: isSeen })
    const leave = () => service.database.rows('DELETE FROM message_locations WHERE customer_id = $1', [here.customerId])
    const readHere = async (is_read: string) => {
      const [{ id } = { id: '' }] = await messages()
      await service.asExpert(here.expert).put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read } })
    }

    it.each([true, false])(
      'is taken over where it was read there, with the counts (its place of before is known no more: %s)',
      async (isGone) => {
        await store(engine, box, one(false))
        if (isGone) await leave()
        await store(engine, box, one(true), arrived(box, 'CLIENTS'))
        expect(await messages()).toMatchObject([{ is_read: true }, { is_read: false }])
        const { kept, counted } = await countsOf(service, here.customerId)
        expect([kept, counted]).toEqual([{ '0 CLIENTS 0': 1 }, { '0 CLIENTS 0': 1 }])
      },
    )

    it('is to be set there where it was set here, and not yet on the server', async () => {
      await store(engine, box, one(false))
      await readHere('1')
      await leave()
      await store(engine, box, one(false))
      expect(await messages()).toMatchObject([{ is_read: true }])
      expect(await places()).toMatchObject([{ seen: false, seen_to_set: true }])
    })

    it('is to be set there as at its previous place', async () => {
      await store(engine, box, one(true))
      await readHere('0')
      await store(engine, box, one(true))
      expect(await messages()).toMatchObject([{ is_read: false }])
      const waits = { seen: true, seen_to_set: false }
      expect(await places()).toMatchObject([waits, waits])
    })

    it('is not cleared by a second place where the message is unread', async () => {
      await store(engine, box, one(true))
      await store(engine, box, one(false))
      expect(await messages()).toMatchObject([{ is_read: true }])
      expect(await places()).toMatchObject([{ seen_to_set: null }, { seen_to_set: null }])
    })
  })

  it('is to be set there again where it was changed back here while the server was updated', async () => {
    const message = arrived(box, 'CLIENTS')
    await store(engine, box, message)
    const [{ id } = { id: '' }] = await messages()
    const read = (is_read: string) =>
      service.asExpert(here.expert).put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read } })
    const folders = remoteFolderRepository(engine.db)
    const [folder] = (await folders.known(box)).values()
    if (!folder) throw new Error('The mailbox has no folder.')
    await read('1')
    expect(await folders.seenToSet(folder)).toEqual([{ uid: message.place.uid, seen: true }])
    await read('0')
    await engine.db.write(office(here.customerId), (tx) => folders.seenSet(tx, folder, [message.place.uid], true))
    expect(await places()).toMatchObject([{ seen: true, seen_to_set: false }])
    expect(await messages()).toMatchObject([{ is_read: false }])
  })
})
