import { randomBytes } from 'node:crypto'

/** Shares per hundred messages: short ones, long ones, and those with a file. Together about 9 MB, like the mail of offices. */
const kinds = [
  { upTo: 70, text: 4_000, file: 0 },
  { upTo: 93, text: 40_000, file: 0 },
  { upTo: 100, text: 4_000, file: 800_000 },
]

const line = 'The minutes of the meeting are attached; please answer before the end of the month.\r\n'

interface Sizes {
  /** Size of the text in bytes. */
  readonly text: number
  /** Size of the attached file in bytes before encoding; 0 without a file. */
  readonly file: number
}

/** Message `number` of a set; each has its own subject, Message-ID and bytes. */
export const message = (number: number): Buffer =>
  messageOf(number, kinds.find(({ upTo }) => number % 100 < upTo) ?? { text: 4_000, file: 0 })

export function messageOf(number: number, { text, file }: Sizes): Buffer {
  const head = [
    `From: Anna Nowak <anna.${number % 500}@client.example>`,
    'To: Office <office@caseway.example>',
    `Subject: Message ${number}`,
    `Date: ${new Date(Date.UTC(2026, 0, 1) + number * 60_000).toUTCString()}`,
    `Message-ID: <${number}.${randomBytes(8).toString('hex')}@client.example>`,
    'MIME-Version: 1.0',
  ]
  const plain = line.repeat(Math.ceil(text / line.length))
  if (!file) return Buffer.from([...head, 'Content-Type: text/plain; charset=utf-8', '', plain].join('\r\n'))
  const encoded = randomBytes(file).toString('base64').replace(/.{76}/g, '$&\r\n')
  return Buffer.from(
    [
      ...[...head, 'Content-Type: multipart/mixed; boundary="part"', ''],
      ...['--part', 'Content-Type: text/plain; charset=utf-8', '', plain],
      ...['--part', 'Content-Type: application/pdf; name="report.pdf"', 'Content-Disposition: attachment; filename="report.pdf"'],
      ...['Content-Transfer-Encoding: base64', '', encoded, '--part--', ''],
    ].join('\r\n'),
  )
}
