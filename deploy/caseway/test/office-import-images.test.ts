import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sanitizedMailHtml } from '../../../services/mail/src/mail-html/sanitize-html.client.js'
import { attachmentAddress } from '../../../services/mail/src/received-messages/attachment-address.js'
import { complete, exported, ndjson, receivedMessage } from './support/exported-folder.js'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

const sent = '<p>Look: <img alt="a" src="cid:logo@x"><img src="cid:plan@x"> or /rest/mail_received_mysql_message/71/attachment/1</p>'
const images = ['logo@x', 'plan@x'].map((contentId, position) => ({ contentId, position }))
const bodyOf = (id: bigint) => sanitizedMailHtml.sanitise(sent, images, (position) => attachmentAddress(id, position))

let here: Installation
beforeAll(async () => {
  here = await installation()
  const rows = [7n, 71n].map((id) => ({ id: Number(id), ...receivedMessage, mail_body: bodyOf(id) }))
  const folder = exported({ ...complete, 'mail/mail_received_messages.ndjson': ndjson(...rows) })
  documentOf(await caseway({ ...here.env, FILES_FOLDER: folder, MAIL_FOLDER: folder }, 'office', 'import', '--from', folder, '--json'))
})
afterAll(() => here.drop())

it('an imported message shows its own inline images', async () => {
  const rows = await here.mail.rows<{ id: string; mail_body: string }>('SELECT id, mail_body FROM mail_received_messages ORDER BY id')
  expect(rows.map(({ mail_body }) => mail_body)).toEqual(rows.map(({ id }) => bodyOf(BigInt(id))))
  expect(rows[0]?.mail_body).toContain(`<img alt="a" src="/rest/mail_received_mysql_message/${rows[0]?.id}/attachment/0"`)
})
