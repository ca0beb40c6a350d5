import { expect, it } from '@jest/globals'
import { autoKindOf } from './auto-kind.js'

it.each([
  [{}, null],
  [{ 'content-type': 'multipart/report; boundary="b"; report-type="delivery-status"' }, 'bounce'],
  [{ 'content-type': 'multipart/report; report-type=delivery-status; boundary=b', 'return-path': '<>' }, 'bounce'],
  [{ 'content-type': 'multipart/report; boundary=b' }, 'bounce'],
  [{ 'content-type': 'text/plain', 'return-path': '<>' }, 'bounce'],
  [{ 'content-type': 'multipart/report; report-type=disposition-notification; boundary=b' }, 'auto_reply'],
  [{ 'content-type': 'Multipart/Report; Report-Type="Disposition-Notification"', 'return-path': '<>' }, 'auto_reply'],
  [{ 'content-type': 'multipart/report; report-type=feedback-report' }, 'auto_reply'],
  [{ 'content-type': 'multipart/mixed; report-type=disposition-notification' }, null],
  [{ 'list-id': '<list.caseway.test>', 'auto-submitted': 'auto-replied' }, 'list'],
  [{ 'auto-submitted': 'auto-replied (vacation)' }, 'auto_reply'],
  [{ 'auto-submitted': 'no' }, null],
])('what has the header %j is %s', (header: Readonly<Record<string, string>>, kind) => {
  expect(autoKindOf({ get: (name) => [header[name] ?? []].flat() })).toBe(kind)
})
