import { describe, expect, it } from '@jest/globals'
import { reportedRecipients, reportText } from './delivery-report.js'

const aboutMessage = 'Reporting-MTA: dns; mx.example\r\nArrival-Date: Mon, 23 Nov 2026 10:00:00 +0000'
const report = (...groups: readonly (readonly string[])[]) => [aboutMessage, ...groups.map((lines) => lines.join('\r\n'))].join('\r\n\r\n')
const one = { addresses: ['one@x.example'], state: 'failed', status: '5.1.1', diagnostic: '' }
const failed = (address = 'one@x.example') => [`Final-Recipient: rfc822; ${address}`, 'Action: failed', 'Status: 5.1.1']

describe('a delivery report', () => {
  it('names the original and the final address of a recipient', () => {
    const group = ['Original-Recipient: rfc822;Office@X.example', ...failed('<one@x.example>')]
    expect(reportedRecipients(report(group))).toEqual([{ ...one, addresses: ['office@x.example', 'one@x.example'] }])
  })

  it('is read in any letter case, with folded lines', () => {
    const group = ['FINAL-RECIPIENT: RFC822; one@x.example', 'action: Failed', 'status: 5.1.1 (no such user)']
    const diagnostic = ['Diagnostic-Code: smtp; 550 no such', '\tuser: one']
    expect(reportedRecipients(report([...group, ...diagnostic]))).toEqual([{ ...one, diagnostic: '550 no such user: one' }])
  })

  it('has a group for each recipient, with any line ends', () => {
    const text = report(failed(), failed('two@x.example'))
    const both = [one, { ...one, addresses: ['two@x.example'] }]
    expect(reportedRecipients(text)).toEqual(both)
    expect(reportedRecipients(text.replaceAll('\r\n', '\n'))).toEqual(both)
    expect(reportedRecipients(text.replaceAll('\r\n\r\n', '\r\n \t\r\n\r\n'))).toEqual(both)
  })

  it.each([
    ['failed', 'failed'],
    ['delayed', 'delayed'],
    ['delivered', 'delivered'],
    ['expanded', 'delivered'],
  ])('with the action %s says %s', (action, state) => {
    expect(reportedRecipients(report(['Final-Recipient: rfc822; one@x.example', `Action: ${action}`]))).toMatchObject([{ state }])
  })

  it.each(['relayed', 'constructor', ''])('with the action "%s" reports no state', (action) => {
    expect(reportedRecipients(report(['Final-Recipient: rfc822; one@x.example', `Action: ${action}`]))).toEqual([])
  })

  it.each([
    ['has no recipient', ['Action: failed', 'Status: 5.1.1']],
    ['has an empty recipient', ['Final-Recipient: rfc822;', 'Action: failed']],
    ['has no action', ['Final-Recipient: rfc822; two@x.example', 'Status: 5.1.1']],
    ['has no fields', ['no field', ': of no name', '']],
  ])('is read on after a group that %s', (_, group) => {
    expect(reportedRecipients(report(group, failed()))).toEqual([one])
  })

  it.each(['', '9.1.1', '5', '5.1', 'unknown'])('has no status where it says "%s"', (status) => {
    const group = ['Final-Recipient: rfc822; one@x.example', 'Action: failed', `Status: ${status}`]
    expect(reportedRecipients(report(group))).toEqual([{ ...one, status: '' }])
  })

  it('keeps the first 500 characters of a diagnostic', () => {
    const [found] = reportedRecipients(report([...failed(), `Diagnostic-Code: smtp; ${'x'.repeat(10_000)}`]))
    expect(found?.diagnostic).toBe('x'.repeat(500))
  })

  it.each(['', '\r\n\r\n', aboutMessage, '\0'])('without a group for a recipient names none', (text) => {
    expect(reportedRecipients(text)).toEqual([])
  })
})

describe('the text of a delivery report', () => {
  it.each([
    ['failed', '5.1.1', 'no such user', 'The message could not be delivered (5.1.1): no such user'],
    ['failed', '', '', 'The message could not be delivered.'],
    ['delayed', '4.4.1', '', 'The message is not yet delivered, and the mail server tries again (4.4.1).'],
    ['delivered', '2.0.0', 'ok', ''],
  ] as const)('of %s, %s and "%s"', (state, status, diagnostic, text) => {
    expect(reportText({ state, status, diagnostic })).toBe(text)
  })
})
