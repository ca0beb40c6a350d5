import { createHash, verify } from 'node:crypto'

const lineOf = (field: string) => {
  const [name = '', ...value] = field.split(':')
  return `${name.trim().toLowerCase()}:${value
    .join(':')
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`
}

const bodyOf = (body: string) =>
  `${body
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)*$/, '')}\r\n`

/** Whether the message has a valid signature by the key (RFC 6376, relaxed canonicalization). Implemented independently of the code that signs. */
export function isSigned(source: Buffer, publicKey: string): boolean {
  const text = source.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/)
  const signature = fields.find((field) => /^dkim-signature:/i.test(field))
  if (!signature) return false
  const tags = new Map(
    [...lineOf(signature).slice('dkim-signature:'.length).split(';')].map((tag) => tag.split(/=(.*)/s).map((part) => part.trim())) as [
      string,
      string,
    ][],
  )
  const left = fields.toReversed()
  const named = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const at = left.findIndex((field) => field.toLowerCase().startsWith(`${name.trim().toLowerCase()}:`))
    return at < 0 ? [] : left.splice(at, 1).map((field) => `${lineOf(field)}\r\n`)
  })
  const unsigned = lineOf(signature).replace(/(;\s*b=)[^;]*/, '$1')
  const bodyHash = createHash('sha256')
    .update(bodyOf(text.slice(end + 4)), 'latin1')
    .digest('base64')
  const signed = Buffer.from((tags.get('b') ?? '').replaceAll(' ', ''), 'base64')
  return tags.get('bh') === bodyHash && verify('sha256', Buffer.from(`${named.join('')}${unsigned}`, 'latin1'), publicKey, signed)
}
