import { describe, expect, it } from '@jest/globals'
import { type MessagePart, textPlanOf } from './text-of-message.js'

const text = (part: string | undefined, more: Partial<MessagePart> = {}): MessagePart => ({ part, type: 'text/plain', size: 10, ...more })
const pdf = (part: string | undefined, more: Partial<MessagePart> = {}): MessagePart => ({
  ...{ part, type: 'application/pdf', encoding: 'base64', size: 7800, disposition: 'attachment' },
  ...more,
})
const multipart = (kind: string, part: string | undefined, ...childNodes: MessagePart[]): MessagePart => ({
  ...{ part, type: `multipart/${kind}`, parameters: { boundary: `b${part ?? ''}` }, childNodes },
})
const sectionsOf = (message: MessagePart) => textPlanOf(message)?.sections.toSorted()

describe('the text of a message', () => {
  it.each<readonly [string, MessagePart, readonly string[]]>([
    ['text beside a file', multipart('mixed', undefined, text('1'), pdf('2')), ['1', '1.mime', '2.mime']],
    [
      'two kinds of text, with an image within one',
      multipart(
        'mixed',
        undefined,
        multipart(
          'alternative',
          '1',
          text('1.1'),
          multipart('related', '1.2', text('1.2.1', { type: 'text/html' }), pdf('1.2.2', { type: 'image/png', disposition: 'inline' })),
        ),
        pdf('2'),
      ),
      ['1.1', '1.1.mime', '1.2.1', '1.2.1.mime', '1.2.2.mime', '1.2.mime', '1.mime', '2.mime'],
    ],
    ['a message that is a file', pdf(undefined), []],
    [
      'text that is attached as a file',
      multipart('mixed', undefined, text('1'), text('2', { disposition: 'attachment' })),
      ['1', '1.mime', '2.mime'],
    ],
    ['text of another kind', multipart('mixed', undefined, text('1'), text('2', { type: 'text/calendar' })), ['1', '1.mime', '2.mime']],
    ['an unknown disposition', multipart('mixed', undefined, text('1'), text('2', { disposition: 'other' })), ['1', '1.mime', '2.mime']],
    [
      'a message within a message, which is shown, and a large one, which is not',
      multipart(
        'mixed',
        undefined,
        { part: '1', type: 'message/rfc822', size: 1_048_576 },
        { part: '2', type: 'message/rfc822', size: 1_048_577 },
      ),
      ['1', '1.mime', '2.mime'],
    ],
    [
      'a message that is attached',
      multipart('mixed', undefined, text('1'), {
        part: '2',
        type: 'message/rfc822',
        size: 100,
        disposition: 'attachment',
        childNodes: [text('2')],
      }),
      ['1', '1.mime', '2.mime'],
    ],
  ])('is fetched without the files: %s', (_, message, sections) => {
    expect(sectionsOf(message)).toEqual(sections)
  })

  it.each<readonly [string, MessagePart]>([
    ['text alone', text(undefined)],
    ['text alone, of any length', text(undefined, { size: 50_000_000 })],
    ['text beside a file, of more than 4 MiB', multipart('mixed', undefined, text('1', { size: 4_194_305 }), pdf('2'))],
    [
      'text with the name of a file, which is shown',
      multipart('mixed', undefined, text('1'), text('2', { parameters: { name: 'a.txt' } })),
    ],
    ['a delivery report', multipart('report', undefined, text('1'), { part: '2', type: 'message/delivery-status', size: 100 }, pdf('3'))],
    ['text in two kinds', multipart('alternative', undefined, text('1'), text('2', { type: 'text/html' }))],
    [
      'a message within the message',
      multipart('mixed', undefined, text('1'), { part: '2', type: 'message/rfc822', size: 100, childNodes: [pdf('2')] }),
    ],
    ['a multipart without a boundary', { ...multipart('mixed', undefined, text('1'), pdf('2')), parameters: undefined }],
    ['a multipart without parts', multipart('mixed', undefined, multipart('mixed', '1'), pdf('2'))],
    ['more parts than anybody writes', multipart('mixed', undefined, ...Array.from({ length: 101 }, (_, at) => pdf(String(at + 1))))],
  ])('is the whole message: %s', (_, message) => {
    expect(textPlanOf(message)).toBeUndefined()
  })

  it('has the parts in their places, and nothing of the files', () => {
    const plan = textPlanOf(multipart('mixed', undefined, multipart('alternative', '1', text('1.1'), text('1.2')), pdf('2')))
    const sections = new Map(
      (plan?.sections ?? []).map((name) => [name, Buffer.from(name.endsWith('.mime') ? `X: ${name}\r\n\r\n` : `Text ${name}`)]),
    )
    expect(plan?.assemble(Buffer.from('Subject: Hello\r\n\r\n'), sections)?.toString()).toBe(
      [
        ...[
          'Subject: Hello',
          '',
          '',
          '--b',
          'X: 1.mime',
          '',
          '',
          '--b1',
          'X: 1.1.mime',
          '',
          'Text 1.1',
          '--b1',
          'X: 1.2.mime',
          '',
          'Text 1.2',
        ],
        ...['--b1--', '', '--b', 'X: 2.mime', '', '', '--b--', ''],
      ].join('\r\n'),
    )
    expect(plan?.leftOut).toEqual([5700])
  })

  it('is undefined where the server does not send a section', () => {
    const plan = textPlanOf(multipart('mixed', undefined, text('1'), pdf('2')))
    expect(plan?.assemble(new Uint8Array(), new Map([['1', new Uint8Array()]]))).toBeUndefined()
  })
})
