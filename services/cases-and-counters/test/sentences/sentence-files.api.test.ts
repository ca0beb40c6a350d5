import type { Subscription } from '@caseway/kit/events'
import { ScanStatus } from '@caseway/protos/files/v1/events'
import { fileTopic, linkTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, having, randomId, versionOf } from '@caseway/testing'
import { link } from '@caseway/testing/fake-auth'
import { attachment, file } from '@caseway/testing/fake-files'
import { withSettings } from '@caseway/testing/scoped-access'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, openIssue, startCases } from '../support/cases.js'
import { put, write } from '../support/sentences.js'

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

interface WithFiles {
  IssueSentence: { id: string }
  CommonFileObject: { object_id: string; CommonFile: { id: string; name: string; virus_scan_status: string } }[]
}

/** Creates a case with a client, and a reply to them. */
async function withReply(status = 'sent') {
  const office = await cases.officeIn('Europe/Rome')
  const { customerId } = office
  const person = cases.client(office)
  await cases.publish(linkTopic, link({ customerId, clientId: person.userId }))
  const [http, client] = [cases.asExpert(office.expert), cases.asClient(person)]
  const issue = await openIssue(http, { user_client_id: String(person.userId) })
  const { id } = (await write(http, issue, { status })).body
  return { office, customerId, person, http, client, issue, id }
}

const listed = async (http: HttpClient) => (await http.get<WithFiles[]>('/issue_sentence')).body
const namesOf = async (http: HttpClient, id: number) =>
  (await http.get<WithFiles>(`/issue_sentence/${id}`)).body.CommonFileObject?.map(({ CommonFile }) => CommonFile.name)

describe('the files of a sentence', () => {
  it('are shown with their links, on both addresses', async () => {
    const { customerId, http, client, id } = await withReply()
    const attached = attachment(id)
    const event = file({ customerId, name: 'Umowa.pdf', filename: 'Umowa.pdf', links: [attached] })
    await cases.publish(fileTopic, event)
    const CommonFileObject = [
      {
        ...{ id: String(attached.id), customer_id: String(customerId), common_file_id: String(event.id) },
        ...{ object_name: 'IssueSentence', object_id: String(id) },
        CommonFile: {
          ...{ id: String(event.id), customer_id: String(customerId), name: 'Umowa.pdf', filename: 'Umowa.pdf', mime: 'text/plain' },
          ...{ size: '8', virus_scan_status: 'ok', virus_scan_error: null, file_not_exists: '0', compression: 'none', type: 'normal' },
          ...{ created: '2026-01-15 09:00:00', modified: '2026-01-15 10:00:00' },
        },
      },
    ]
    for (const reader of [http, client]) {
      expect(await listed(reader)).toMatchObject([{ CommonFileObject }])
      expect((await reader.get<WithFiles>(`/issue_sentence/${id}`)).body.CommonFileObject).toEqual(CommonFileObject)
    }
  })

  it('are shown to a client with a cached sentence, though its version is the same', async () => {
    const { customerId, http, client, id } = await withReply()
    const path = `/issue_sentence/${id}`
    const before = await Promise.all([http, client].map((reader) => reader.get(path)))
    await cases.publish(fileTopic, file({ customerId, links: [attachment(id)] }))
    for (const [i, reader] of [http, client].entries()) {
      const known = before[i] as (typeof before)[number]
      const after = await reader.get<WithFiles>(path, having(known))
      expect([after.status, after.body.CommonFileObject.length]).toEqual([200, 1])
      expect(versionOf(after)).toBe(versionOf(known))
      expect((await reader.get(path, having(after))).status).toBe(304)
    }
  })

  it('are those of each sentence, in the order in which they were attached', async () => {
    const { customerId, http, issue, id } = await withReply()
    const other = (await write(http, issue)).body.id
    const [first, second] = [attachment(id), attachment(id)].sort((a, b) => Number(a.id - b.id))
    if (!first || !second) return
    await cases.publish(fileTopic, file({ customerId, name: 'second', links: [second, attachment(other)] }))
    await cases.publish(fileTopic, file({ customerId, name: 'first', links: [first, attachment(other, 'Comment')] }))
    expect(await namesOf(http, id)).toEqual(['first', 'second'])
    expect(await namesOf(http, other)).toEqual(['second'])
  })

  it.each([
    [ScanStatus.PENDING, 'pending'],
    [ScanStatus.INFECTED, 'infected'],
    [ScanStatus.FAILED, 'failed'],
    [99 as ScanStatus, 'failed'],
  ])('have the result of their scan: %s', async (scanStatus, shown) => {
    const { customerId, http } = await withReply()
    const [
      {
        IssueSentence: { id },
      } = { IssueSentence: { id: '0' } },
    ] = await listed(http)
    await cases.publish(fileTopic, file({ customerId, scanStatus, scanError: 'Why', links: [attachment(BigInt(id))] }))
    expect((await listed(http))[0]?.CommonFileObject).toMatchObject([{ CommonFile: { virus_scan_status: shown, virus_scan_error: 'Why' } }])
  })

  it('are those of the newest event, delivered twice and in any order', async () => {
    const { customerId, http, id } = await withReply()
    const [one, two] = [attachment(id), attachment(id, 'Comment')]
    const state = file({ customerId })
    const events = [
      { ...state, revision: 1n, links: [one, two] },
      { ...state, revision: 2n, links: [two] },
      { ...state, revision: 3n, links: [one] },
    ]
    for (const order of [
      [0, 1, 2, 0, 1, 2],
      [2, 1, 0, 1, 0],
    ]) {
      const id = randomId()
      const renamed = events.map((event) => ({ ...event, id, links: event.links.map((link) => ({ ...link, id: link.id + id })) }))
      await cases.publish(fileTopic, ...order.flatMap((index) => renamed[index] ?? []))
      const rows = await cases.database.rows('SELECT object_name FROM common_file_objects WHERE common_file_id = $1', [id])
      expect(rows).toEqual([{ object_name: 'IssueSentence' }])
    }
    expect(await namesOf(http, id)).toHaveLength(2)
  })

  it('are removed with the deletion of the file, and not restored by a late event', async () => {
    const { customerId, http, id } = await withReply()
    const state = file({ customerId, links: [attachment(id)] })
    await cases.publish(fileTopic, state, { ...state, name: '', links: [], deleted: true, revision: 3n }, { ...state, revision: 2n })
    expect(await namesOf(http, id)).toEqual([])
  })

  it('of another office are not shown, whatever object they refer to', async () => {
    const { http, id } = await withReply()
    await cases.publish(fileTopic, file({ customerId: randomId(), links: [attachment(id)] }))
    expect(await namesOf(http, id)).toEqual([])
  })
})

describe('a client', () => {
  it('sees the files of a reply once it is sent', async () => {
    const { customerId, http, client, id } = await withReply('draft')
    await cases.publish(fileTopic, file({ customerId, links: [attachment(id)] }))
    expect(await listed(client)).toEqual([])
    expect(await namesOf(http, id)).toHaveLength(1)
    await put(http, id, { status: 'sent' })
    expect(await namesOf(client, id)).toHaveLength(1)
  })

  it('cannot read files of another sentence, even by a statement without a filter', async () => {
    const { customerId, person, id } = await withReply()
    const { id: hidden } = await withReply('draft')
    await cases.publish(fileTopic, file({ customerId, links: [attachment(id)] }), file({ customerId, links: [attachment(hidden)] }))
    const seen = await withSettings(cases.database, { 'app.client_id': String(person.userId) }, async (connection) => [
      (await connection.query('SELECT FROM common_files')).rowCount,
      (await connection.query('SELECT FROM common_file_objects')).rowCount,
    ])
    expect(seen).toEqual([1, 1])
  })
})

describe('the copy', () => {
  it('is filled from the snapshot of files, and after a gap equals the snapshot', async () => {
    const { customerId, http, id } = await withReply()
    const [kept, gone] = [file({ customerId, name: 'kept', links: [attachment(id)] }), file({ customerId, links: [attachment(id)] })]
    await cases.publish(fileTopic, gone)
    expect(await namesOf(http, id)).toEqual(['letter.txt'])
    cases.files.files.push(kept)
    await onGap?.([fileTopic.name])
    await eventually(async () => expect(await namesOf(http, id)).toEqual(['kept']))
  })
})
