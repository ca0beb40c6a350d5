import { RightsChangedEvent } from '@caseway/protos/auth/v1/events'
import { Folder } from '@caseway/protos/mail/v1/events'
import { folderCountTopic, rightTopic } from '@caseway/protos/topics'
import { type EventStream, type Person, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, startCases } from '../support/cases.js'
import { next, openStreams } from '../support/streams.js'

let cases: Cases
const { connect, closeAll } = openStreams(() => cases)
beforeAll(async () => {
  cases = await startCases()
})
afterEach(closeAll)
afterAll(() => cases.stop())

const right = 'mailbox.crm_folders.clients'
const clients = (count: number) => ({ Counter: { MailReceivedMysqlMessage: { clients: count } } })

/** The next counters on a stream, which are sent when the former rights are not remembered any more. */
const later = (stream: EventStream) => next(stream, 'counter', undefined, 20_000)

/** Opens streams of people of an office with seven unread messages in its folder Clients, which the first of them may read. */
async function streams() {
  const office = cases.office()
  const { customerId, specialist, trainee } = office
  cases.auth.rights.set(specialist.userId, [right])
  const folder = { customerId, userId: 0n, folder: Folder.CLIENTS, folderId: 0n, count: 7, revision: 1n, removed: false }
  await cases.publish(folderCountTopic, folder)
  const open = async (person: Person<unknown>, count: number) => {
    const stream = await connect(person)
    expect(await next(stream, 'counter')).toMatchObject(clients(count))
    return stream
  }
  return { office, reading: await open(specialist, 7), other: await open(trainee, 0) }
}

describe('a changed right', () => {
  it('changes the counts of mail folders on open streams, within five seconds', async () => {
    const { office, reading, other } = await streams()
    const { customerId, specialist, trainee } = office
    cases.auth.rights.set(specialist.userId, [])
    cases.auth.rights.set(trainee.userId, [right])
    const changed = RightsChangedEvent.fromPartial({ customerId, userIds: [specialist.userId, trainee.userId] })
    await cases.publish(rightTopic, changed, changed)
    const late = "SELECT FROM kit.job WHERE name = 'changed-rights' AND run_at > created + interval '5 seconds'"
    expect(await cases.database.rows(late)).toEqual([])
    const shown = await Promise.all([later(reading), later(other)])
    expect(shown).toMatchObject([clients(0), clients(7)])
  })

  it('is not told to colleagues, or to another office', async () => {
    const { office, reading, other } = await streams()
    const { specialist, trainee } = office
    const changed = { customerId: office.customerId, userIds: [specialist.userId] }
    await cases.publish(rightTopic, { customerId: randomId(), userIds: [trainee.userId] }, changed)
    await later(reading)
    expect(other.events.map(({ event }) => event)).toEqual(['counter'])
  })
})
