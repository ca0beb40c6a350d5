import type { Subscription } from '@caseway/kit/events'
import { LinkState } from '@caseway/protos/auth/v1/events'
import { issueTopic, linkTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId } from '@caseway/testing'
import { link as officeLink } from '@caseway/testing/fake-auth'
import { type FakeObject, object } from '@caseway/testing/fake-objects'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { attach, type Files, link, scanned, startFiles, upload } from './support/files.js'

let files: Files
let onGap: Subscription['onGap']
beforeAll(async () => {
  files = await startFiles({
    through: (transport) => ({
      ...transport,
      subscribe(subscription) {
        onGap ??= subscription.onGap
        return transport.subscribe(subscription)
      },
    }),
  })
})
afterAll(() => files.stop())

interface Listed {
  CommonFile: { id: string }
}

/** Creates an office with a client, and an object of one of the client's cases. */
async function withCase(visible = true) {
  const office = files.office()
  const { customerId, expert } = office
  const person = files.client(office)
  const [clientLink] = files.auth.links.slice(-1)
  if (clientLink) await files.publish(linkTopic, clientLink)
  const sentence = object({ customerId, issueId: randomId(), userClientId: visible ? person.userId : null })
  files.owner.objects.push(sentence)
  return { office, customerId, person, sentence, clientLink, http: files.asExpert(expert), client: files.asClient(person) }
}

/** Replaces an object at its owner by a new version, without an event. */
function replace(before: FakeObject, fields: Partial<FakeObject>): FakeObject {
  const after = object({ ...before, ...fields, version: before.version + 1 })
  const place = files.owner.objects.findIndex(({ id }) => id === before.id)
  files.owner.objects.splice(place, 1, after)
  return after
}

/** Replaces an object at its owner by a new version, and publishes an event of its case. */
async function change(before: FakeObject, fields: Partial<FakeObject>): Promise<FakeObject> {
  const after = replace(before, fields)
  const { customerId, issueId } = after
  await files.publish(issueTopic, {
    issueId: issueId ?? 0n,
    customerId,
    revision: 2n,
    state: undefined,
    change: { $case: 'changed', value: {} },
  })
  return after
}

/** Whether the client sees the file in the list of files, the list of links, the download and the record. */
async function sees(client: HttpClient, file: number): Promise<boolean[]> {
  const listed = async (path: string) => (await client.get<Listed[]>(path)).body.some(({ CommonFile: { id } }) => id === String(file))
  const found = async (path: string) => (await client.get(path)).status === 200
  return [
    await listed('/common_file'),
    await listed('/common_file/common_file_object'),
    await found(`/common_file/${file}`),
    await found(`/common_file/${file}?meta=1`),
  ]
}
const everything = [true, true, true, true]
const nothing = [false, false, false, false]

describe('a client', () => {
  it('sees the files that are attached to their own visible objects, each once, and no other files', async () => {
    const { office, customerId, http, client, sentence, person } = await withCase()
    const second = object({ customerId, issueId: sentence.issueId, userClientId: person.userId })
    files.owner.objects.push(second)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    await attach(http, file, 'IssueSentence', sentence.id)
    await attach(http, file, 'IssueSentence', second.id)
    expect(await sees(client, file)).toEqual(everything)
    expect((await client.get<Listed[]>('/common_file')).body).toHaveLength(1)
    expect((await client.get(`/common_file/${file}`)).text).toBe('an answer')
    expect(await sees(files.asClient(files.client(office)), file)).toEqual(nothing)
  })

  it('sees the link as long as the linked object is visible to them', async () => {
    const { office, http, client, sentence } = await withCase()
    const { id } = (await link(http, await upload(http, 'an answer'), 'IssueSentence', sentence.id)).body
    const path = `/common_file_object/${id}`
    expect(await client.get(path)).toMatchObject({
      status: 200,
      body: { CommonFileObject: { id: String(id), object_id: String(sentence.id) } },
    })
    expect((await files.asClient(files.client(office)).get(path)).status).toBe(404)
    expect((await client.delete(path, { 'if-match': '"9"' })).status).toBe(412)
    await change(sentence, { userClientId: randomId() })
    expect((await client.get(path)).status).toBe(404)
  })

  it('sees no file of a sentence that is not sent yet, or became the sentence of another client', async () => {
    const { http, client, sentence, person } = await withCase(false)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    await attach(http, file, 'IssueSentence', sentence.id)
    expect(await sees(client, file)).toEqual(nothing)
    const sent = await change(sentence, { userClientId: person.userId })
    expect(await sees(client, file)).toEqual(everything)
    await change(sent, { userClientId: randomId() })
    expect(await sees(client, file)).toEqual(nothing)
  })

  it('sees the file also where the sentence was sent before the link was stored', async () => {
    const { http, client, sentence, person } = await withCase(false)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    let requests = 0
    // Sends the sentence during the request: after the first check of the owner, and before the link is stored.
    files.owner.onQuestion = async () => {
      if (++requests !== 2) return
      files.owner.objects.splice(files.owner.objects.indexOf(sentence), 1, object({ ...sentence, userClientId: person.userId, version: 2 }))
    }
    await attach(http, file, 'IssueSentence', sentence.id)
    await eventually(async () => expect(await sees(client, file)).toEqual(everything))
    files.owner.onQuestion = async () => undefined
  })

  it('sees the file also where the event was lost, after the refresh from the owner', async () => {
    const { http, client, sentence, person } = await withCase(false)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    await attach(http, file, 'IssueSentence', sentence.id)
    await eventually(async () =>
      expect(await files.database.rows("SELECT FROM kit.job WHERE name = 'link-refresh' AND state <> 'done'")).toEqual([]),
    )
    replace(sentence, { userClientId: person.userId })
    expect(await sees(client, file)).toEqual(nothing)
    await onGap?.([issueTopic.name])
    await eventually(async () => expect(await sees(client, file)).toEqual(everything))
  })

  it('no longer sees the file after the owner was restored from a backup and the link refreshed', async () => {
    const { http, client, sentence, person } = await withCase(false)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    await attach(http, file, 'IssueSentence', sentence.id)
    await change({ ...sentence, version: 4 }, { userClientId: person.userId })
    expect(await sees(client, file)).toEqual(everything)
    replace({ ...sentence, version: 2 }, { userClientId: null })
    await onGap?.([issueTopic.name])
    await eventually(async () => expect(await sees(client, file)).toEqual(nothing))
  })

  it('is not affected by an older version that arrives late', async () => {
    const { http, client, sentence, person } = await withCase(false)
    const file = await upload(http, 'an answer')
    await scanned(http, file)
    await attach(http, file, 'IssueSentence', sentence.id)
    const sent = await change({ ...sentence, version: 4 }, { userClientId: person.userId })
    await change({ ...sent, version: 2 }, { userClientId: null })
    expect(await sees(client, file)).toEqual(everything)
  })

  it('attaches their uploads to their own objects, and detaches them', async () => {
    const { client, http, sentence, customerId } = await withCase()
    const file = await upload(client, 'my question')
    await scanned(client, file)
    const id = await attach(client, file, 'IssueSentence', sentence.id)
    const CommonFileObject = {
      ...{ id: String(id), customer_id: String(customerId), common_file_id: String(file) },
      ...{ object_name: 'IssueSentence', object_id: String(sentence.id) },
    }
    for (const reader of [client, http]) {
      const { body } = await reader.get('/common_file/common_file_object')
      expect(body).toEqual([{ CommonFileObject, CommonFile: expect.objectContaining({ id: String(file) }) }])
    }
    expect((await client.delete(`/common_file_object/${id}`)).body).toEqual({ status: 'OK' })
    expect((await http.get('/common_file/common_file_object')).body).toEqual([])
    expect((await client.get(`/common_file/${file}`)).status).toBe(200)
  })

  it('attaches nothing to objects of others, and no files of others', async () => {
    const { client, http, customerId, sentence } = await withCase()
    const hidden = object({ customerId })
    files.owner.objects.push(hidden)
    const own = await upload(client, 'mine')
    const [, foreign] = [await upload(http, 'of the office'), (await withCase()).sentence]
    for (const { id } of [hidden, foreign])
      expect(await link(client, own, 'IssueSentence', id)).toMatchObject({
        status: 400,
        body: { errorMessages: { object_id: 'does not exist' } },
      })
    const theirs = await upload(http, 'of the office')
    await attach(http, theirs, 'IssueSentence', sentence.id)
    const { status, body } = await link(client, theirs, 'IssueSentence', sentence.id)
    expect([status, body]).toEqual([400, { status: 'error', errorMessages: { common_file_id: 'does not exist' } }])
  })

  it('removes neither a file nor a link of the office', async () => {
    const { client, http, sentence } = await withCase()
    const file = await upload(http, 'an answer')
    const id = await attach(http, file, 'IssueSentence', sentence.id)
    expect((await client.delete(`/common_file_object/${id}`)).status).toBe(403)
    expect((await client.delete(`/common_file/${file}`)).status).toBe(403)
    const { client: other } = await withCase()
    expect((await other.delete(`/common_file_object/${id}`)).status).toBe(404)
    expect((await http.get<object[]>('/common_file/common_file_object')).body).toHaveLength(1)
  })

  it('removes no upload that the office has attached to another object', async () => {
    const { client, http, sentence, customerId } = await withCase()
    const hidden = object({ customerId })
    files.owner.objects.push(hidden)
    const file = await upload(client, 'my document')
    await attach(client, file, 'IssueSentence', sentence.id)
    const id = await attach(http, file, 'Comment', hidden.id)
    const remove = () => client.delete(`/common_file/${file}`)
    expect((await remove()).status).toBe(403)
    await http.delete(`/common_file_object/${id}`)
    const locked = replace(sentence, { locked: true })
    expect((await remove()).status).toBe(403)
    expect((await http.get<object[]>('/common_file/common_file_object')).body).toHaveLength(1)
    replace(locked, { locked: false })
    expect((await remove()).body).toEqual({ status: 'OK' })
  })

  it('attaches nothing after the link with the office has ended, and sees nothing when banned', async () => {
    const { client, clientLink, http, sentence } = await withCase()
    const [mine, theirs] = [await upload(client, 'mine'), await upload(http, 'an answer')]
    await scanned(http, theirs)
    await attach(http, theirs, 'IssueSentence', sentence.id)
    const ended = officeLink({ ...(clientLink as NonNullable<typeof clientLink>), revision: 2n, state: LinkState.ENDED })
    await files.publish(linkTopic, ended)
    expect(await link(client, mine, 'IssueSentence', sentence.id)).toMatchObject({ status: 403, body: { errorCode: 'LINK_ENDED' } })
    expect(await sees(client, theirs)).toEqual(everything)
    await files.publish(linkTopic, { ...ended, revision: 3n, banned: true })
    expect(await sees(client, theirs)).toEqual(nothing)
  })
})
