import { linkTopic } from '@caseway/protos/topics'
import { eventually, type HttpClient, randomId } from '@caseway/testing'
import { object } from '@caseway/testing/fake-objects'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { attach, type Files, startFiles, upload } from './support/files.js'

let files: Files
beforeAll(async () => {
  files = await startFiles()
})
afterEach(() => {
  files.owner.onQuestion = async () => undefined
})
afterAll(() => files.stop())

/** Creates an office with a client, and a file of the client that is attached to an object of the client. */
async function withAttachedFile() {
  const office = files.office()
  const person = files.client(office)
  const [clientLink] = files.auth.links.slice(-1)
  if (clientLink) await files.publish(linkTopic, clientLink)
  const { customerId } = office
  const [sentence, comment] = [object({ customerId, issueId: randomId(), userClientId: person.userId }), object({ customerId })]
  files.owner.objects.push(sentence, comment)
  const [http, client] = [files.asExpert(office.expert), files.asClient(person)]
  const file = await upload(client, 'a letter')
  await attach(client, file, 'IssueSentence', sentence.id)
  // After all refreshes have run, only deletions call the owner.
  const refreshes = "SELECT FROM kit.job WHERE name = 'link-refresh' AND state <> 'done'"
  await eventually(async () => expect(await files.database.rows(refreshes)).toEqual([]))
  return { customerId, http, client, file, comment }
}

const linksOf = async (http: HttpClient) => (await http.get<unknown[]>('/common_file/common_file_object')).body.length

/** Attaches a file to a comment, as one statement. */
const attaching = `
  INSERT INTO common_file_objects (customer_id, common_file_id, object_name, object_id, object_revision) VALUES ($1, $2, 'Comment', $3, 1)`

/** Runs `work` during the next call of the owner. */
function meanwhile(work: () => Promise<unknown>) {
  files.owner.onQuestion = async () => {
    files.owner.onQuestion = async () => undefined
    await work()
  }
}

it('an employee cannot delete a file that is concurrently attached to an object from which they may not detach it', async () => {
  const { http, file, comment } = await withAttachedFile()
  meanwhile(async () => {
    await attach(http, file, 'Comment', comment.id)
    files.owner.objects.splice(files.owner.objects.indexOf(comment), 1, object({ ...comment, locked: true }))
  })
  expect(await http.delete(`/common_file/${file}`)).toMatchObject({ status: 403, body: { errorCode: 'FORBIDDEN' } })
  expect(await linksOf(http)).toBe(2)
})

it('a client cannot delete a file that the office attaches concurrently', async () => {
  const { http, client, file, comment } = await withAttachedFile()
  meanwhile(() => attach(http, file, 'Comment', comment.id))
  expect(await client.delete(`/common_file/${file}`)).toMatchObject({ status: 403, body: { errorCode: 'FORBIDDEN' } })
  expect(await linksOf(http)).toBe(2)
})

it('a deletion waits for a concurrent attachment of the file, and checks its link too', async () => {
  const { customerId, http, file, comment } = await withAttachedFile()
  files.owner.objects.splice(files.owner.objects.indexOf(comment), 1, object({ ...comment, locked: true }))
  const held = await holdTransaction(files.database, attaching, [customerId, file, comment.id])
  const deleted = http.delete(`/common_file/${file}`)
  await untilWaiting(files.database, 1)
  await held.commit()
  expect(await deleted).toMatchObject({ status: 403, body: { errorCode: 'FORBIDDEN' } })
  expect(await linksOf(http)).toBe(2)
})

it('a file that is concurrently attached is deleted where the employee may detach it from that object as well', async () => {
  const { http, file, comment } = await withAttachedFile()
  meanwhile(() => attach(http, file, 'Comment', comment.id))
  expect(await http.delete(`/common_file/${file}`)).toMatchObject({ status: 200, body: { status: 'OK' } })
  expect(await linksOf(http)).toBe(0)
})

it('a deletion during which the file is attached again and again is a conflict', async () => {
  const { customerId, http, file } = await withAttachedFile()
  files.owner.onQuestion = async () => {
    const another = object({ customerId })
    files.owner.objects.push(another)
    await files.database.rows(attaching, [customerId, file, another.id])
  }
  const { status, headers, body } = await http.delete(`/common_file/${file}`)
  expect({ status, body, retryAfter: headers.get('retry-after') }).toMatchObject({
    ...{ status: 409, retryAfter: '1', body: { status: 'error', errorCode: 'FILE_BUSY' } },
  })
  files.owner.onQuestion = async () => undefined
  expect((await http.delete(`/common_file/${file}`)).status).toBe(200)
})
