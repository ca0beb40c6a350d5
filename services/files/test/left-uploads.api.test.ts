import { request } from 'node:http'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Files, startFiles } from './support/files.js'
import { type ScriptedS3, scriptedS3 } from './support/scripted-s3.js'

let s3: ScriptedS3
let files: Files
beforeAll(async () => {
  s3 = await scriptedS3()
  files = await startFiles({ variables: s3.variables })
})
afterAll(async () => {
  await files.stop()
  await s3.stop()
})

const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="letter.txt"\r\n\r\na letter\r\n--b--\r\n'

it('an upload whose sender disconnects before it is stored leaves nothing', async () => {
  const { expert } = files.office()
  const headers = { authorization: `Bearer ${expert.token}`, 'content-type': 'multipart/form-data; boundary=b' }
  const sent = request(`${files.service.httpUrl}/expert/rest/common_file`, { method: 'POST', agent: false, headers })
  sent.on('error', () => undefined).end(body)
  await eventually(async () => expect(s3.methods).toEqual(['PUT']))
  sent.destroy()
  // When this request is answered, the service has noticed the disconnection.
  expect((await files.asExpert(expert).get('/common_file')).body).toEqual([])
  s3.store()
  await eventually(async () => expect(s3.methods).toEqual(['PUT', 'DELETE']))
  expect((await files.asExpert(expert).get('/common_file')).body).toEqual([])
})
