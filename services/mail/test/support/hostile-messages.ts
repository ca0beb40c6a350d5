const lines = (...all: string[]) => Buffer.from(`${all.join('\r\n')}\r\n`, 'latin1')
const from = 'From: a@caseway.test'
const multipart = (boundary: string) => `Content-Type: multipart/mixed; boundary=${boundary}`

const manyParts = (count: number) =>
  lines(from, 'Subject: many parts', multipart('b'), '', '--b', 'Content-Type: text/plain', '', 'x').toString() +
  '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(count) +
  '--b--\r\n'

const nested = (depth: number) =>
  `${from}\r\nSubject: nested\r\n${Array.from({ length: depth }, (_, at) => `${multipart(`b${at}`)}\r\n\r\n--b${at}\r\n`).join('')}\r\nx\r\n`

/** Invalid messages, as mail servers may deliver them. The names say what is wrong. */
export const hostileMessages: Readonly<Record<string, Buffer>> = {
  'nothing but an end of line': lines(''),
  'no header': lines('', 'only a body'),
  'no body': lines(from, 'Subject: no body'),
  'no end of the header': Buffer.from('From: a@caseway.test\r\nSubject: no end'),
  'a header of 8-bit characters': lines('From: J\xfcrgen <j@caseway.test>', 'Subject: Gr\xfc\xdfe \xff\xfe', '', 'x'),
  'a header line of 100,000 characters': lines(from, `Subject: ${'x'.repeat(100_000)}`, '', 'x'),
  'a header of 10,000 lines': lines(from, ...Array.from({ length: 10_000 }, (_, at) => `X-Line-${at}: x`), '', 'x'),
  'a date that is none': lines(from, 'Date: the other day', 'Subject: date', '', 'x'),
  'a date in the year 9999': lines(from, 'Date: Fri, 31 Dec 9999 23:59:59 +0000', '', 'x'),
  'two of each header': lines(from, 'From: b@caseway.test', 'Subject: a', 'Subject: b', 'Date: x', 'Date: y', '', 'x'),
  'a NUL in the subject': lines(from, 'Subject: =?utf-8?Q?a=00b?=', '', 'x'),
  'a NUL in the body': lines(from, 'Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable', '', 'a=00b'),
  'half of a surrogate pair': lines(
    from,
    'Content-Type: text/plain; charset=utf-16be',
    'Content-Transfer-Encoding: base64',
    '',
    '2AAAYQ==',
  ),
  'a character set that is none': lines(from, 'Content-Type: text/plain; charset=nonsense', '', '\xe9\xe8'),
  'base64 that is none': lines(from, 'Content-Type: text/plain', 'Content-Transfer-Encoding: base64', '', '!!!! not base64 ===='),
  'an encoding that is none': lines(from, 'Content-Type: text/plain', 'Content-Transfer-Encoding: nonsense', '', 'x'),
  'no boundary': lines(from, 'Content-Type: multipart/mixed', '', '--b', '', 'x'),
  'a boundary that never comes': lines(from, multipart('b'), '', 'x'),
  '10,000 parts': Buffer.from(manyParts(10_000)),
  '1,000 parts in each other': Buffer.from(nested(1000)),
  'a message in a message in a message': lines(
    from,
    ...Array.from({ length: 50 }, () => 'Content-Type: message/rfc822\r\n'),
    from,
    '',
    'x',
  ),
  'a Message-ID that another has': lines(from, 'Message-ID: <same@caseway.test>', 'Subject: first', '', 'x'),
  'the Message-ID of another': lines(from, 'Message-ID: <same@caseway.test>', 'Subject: second', '', 'y'),
  'a calendar': lines(from, 'Content-Type: text/calendar; method=REQUEST', '', 'BEGIN:VCALENDAR', 'END:VCALENDAR'),
  'a winmail.dat': lines(
    ...[from, 'Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Transfer-Encoding: base64', '', 'eJ8+IgAAAAA='],
  ),
  'HTML that is nested too deep': lines(from, 'Content-Type: text/html', '', '<div>'.repeat(50_000)),
  'an address list without an end': lines(`To: ${'"a, '.repeat(20_000)}`, from, '', 'x'),
  'an encoded word without an end': lines(from, `Subject: ${'=?utf-8?Q?'.repeat(5000)}`, '', 'x'),
  'a file name that climbs': lines(
    ...[from, 'Content-Type: application/pdf; name="../../etc/passwd"', 'Content-Disposition: attachment; filename="../../x"', '', 'x'],
  ),
}
