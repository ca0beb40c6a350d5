const field = (header: string, name: string): string | undefined => new RegExp(`^${name}:((?:[^\\n]|\\n[ \\t])*)`, 'im').exec(header)?.[1]

const momentOf = (text: string | undefined): Date | undefined => {
  const date = new Date((text ?? '').replace(/\s+/g, ' ').trim())
  return Number.isNaN(date.getTime()) ? undefined : date
}

/**
 * When a message was received, by its header: the first Received is of the server that has stored it (RFC 5321, 4.4), after it the Date of whoever has sent it.
 * A message without either, or from the future, was received now.
 */
export function receivedDate(header: Uint8Array, now = new Date()): Date {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1')
  const said = momentOf(field(text, 'Received')?.split(';').at(-1)) ?? momentOf(field(text, 'Date'))
  return said && said < now ? said : now
}
