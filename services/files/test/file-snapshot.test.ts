import { type GrpcClient, grpcClient } from '@caseway/testing'
import { object } from '@caseway/testing/fake-objects'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { attach, type Files, scanned, startFiles, upload } from './support/files.js'

let files: Files
let snapshot: GrpcClient
beforeAll(async () => {
  files = await startFiles()
  snapshot = grpcClient(files.service.grpcAddress, 'caseway.files.v1.SnapshotService')
})
afterAll(async () => {
  snapshot.close()
  await files.stop()
})

interface Page {
  files: { id: string; revision: string; scan_status: string; links: { id: string; object_name: string; object_id: string }[] }[]
}

it('the snapshot returns pages with the files of all offices, equal to their last events', async () => {
  const [here, there] = [files.office(), files.office()]
  const owned = object({ customerId: here.customerId })
  files.owner.objects.push(owned)
  const [http, other] = [files.asExpert(here.expert), files.asExpert(there.expert)]
  const ids = [await upload(http, 'a'), await upload(other, 'b'), await upload(http, 'c')]
  for (const [i, id] of ids.entries()) await scanned(i === 1 ? other : http, id)
  const linkId = await attach(http, ids[2] ?? 0, 'Comment', owned.id)
  await http.delete(`/common_file/${ids[0]}`)

  const first = await snapshot.call<Page>('ListFiles', { after: '0', limit: 1 })
  expect(first.files).toMatchObject([{ id: String(ids[1]), revision: '2', scan_status: 'SCAN_STATUS_OK', links: [] }])
  const rest = await snapshot.call<Page>('ListFiles', { after: String(ids[1]) })
  const links = [{ id: String(linkId), object_name: 'Comment', object_id: String(owned.id) }]
  expect(rest.files).toMatchObject([{ id: String(ids[2]), revision: '3', links }])
  expect((await snapshot.call<Page>('ListFiles', { after: String(ids[2]) })).files).toEqual([])
})
