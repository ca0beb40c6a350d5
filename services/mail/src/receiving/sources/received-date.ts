const field = (header: string, name: string): string | undefined => new RegExp(`^${name}:((?:[^\\n]|\\n[ \\t])*)`, 'im').exec(header)?.[1]

const momentOf = (text: string | undefined): Date | undefined => {
  const date = new Date((text ?? '').replace(/\s+/g, ' ').trim())
  return Number.isNaN(date.getTime()) ? undefined : date
}

/**
 * When a message was received, by its header: the first Received, which the storing server has added (RFC 5321, 4.4), otherwise the Date of the
 * sender. Now where both are missing or unreadable, or the date is in the future.
 */
export function receivedDate(header: Uint8Array, now = new Date()): Date {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1')
  const stated = momentOf(field(text, 'Received')?.split(';').at(-1)) ?? momentOf(field(text, 'Date'))
  return stated && stated < now ? stated : now
}
