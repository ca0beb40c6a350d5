/** A part of a message as its server describes it (BODYSTRUCTURE, RFC 9051, 7.5.2). */
export interface MessagePart {
  /** The part number, as `2.1`; undefined for a multipart that is the whole message. */
  readonly part?: string | undefined
  /** In lower case. */
  readonly type: string
  readonly parameters?: Readonly<Record<string, string>> | undefined
  readonly disposition?: string | undefined
  readonly encoding?: string | undefined
  /** The encoded size, in bytes. */
  readonly size?: number | undefined
  readonly childNodes?: readonly MessagePart[] | undefined
}

/** The sections to fetch of a message whose files are left on the server. */
export interface TextPlan {
  /** Sections of the message (BODY[…]): `1.mime`, `1`. */
  readonly sections: readonly string[]
  /** The decoded sizes of the files that are left out, in bytes and in their order. */
  readonly leftOut: readonly number[]
  /** Builds the message without its files from its header and the sections; undefined where a section is missing. */
  assemble(header: Uint8Array, sections: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined
}

/** The limits of text in one part, in bytes, and of parts. A message beyond them is fetched whole. */
const maxText = 4 * 1_048_576
const maxParts = 100
/** The most bytes of a nested message that is shown within the message. */
const maxWithin = 1_048_576

const isMultipart = ({ type }: MessagePart) => type.startsWith('multipart/')
const texts: readonly string[] = ['text/plain', 'text/html', 'message/delivery-status']

/** Whether the parser treats the part as text of the message. */
function isText({ type, disposition = 'inline', size = 0 }: MessagePart): boolean {
  if (disposition.toLowerCase() !== 'inline') return false
  return texts.includes(type) || (type === 'message/rfc822' && size <= maxWithin)
}

/** The decoded size in bytes. Lines of base64 have 76 characters and CR LF (RFC 2045, 6.8). */
const decodedSize = ({ encoding, size = 0 }: MessagePart) => (encoding === 'base64' ? Math.floor((size / 78) * 57) : size)

const leavesOf = (part: MessagePart): readonly MessagePart[] => (isMultipart(part) ? (part.childNodes ?? []).flatMap(leavesOf) : [part])

/** All parts below `part`, without `part` itself: the header of the root part is the header of the message. */
const within = (part: MessagePart): readonly MessagePart[] =>
  isMultipart(part) ? (part.childNodes ?? []).flatMap((child) => [child, ...within(child)]) : []

const sectionOf = ({ part = '1' }: MessagePart) => part
const headerOf = (part: MessagePart) => `${sectionOf(part)}.mime`

/**
 * The plan to fetch the text of a message without its files. Undefined where the message has no files, has a structure that cannot be used, exceeds
 * the limits, or is a delivery report: then it is fetched whole.
 */
export function textPlanOf(message: MessagePart): TextPlan | undefined {
  const [leaves, parts] = [leavesOf(message), within(message)]
  const files = leaves.filter((leaf) => !isText(leaf))
  const isUnderstood = [message, ...parts]
    .filter(isMultipart)
    .every(({ parameters, childNodes }) => parameters?.boundary && childNodes?.length)
  const isLarge = parts.length > maxParts || leaves.some((leaf) => isText(leaf) && (leaf.size ?? 0) > maxText)
  if (files.length === 0 || !isUnderstood || isLarge || message.type === 'multipart/report') return undefined
  const sections = [...parts.map(headerOf), ...leaves.filter(isText).map(sectionOf)]
  return {
    ...{ sections, leftOut: files.map(decodedSize) },
    assemble(header, fetched) {
      if (sections.some((name) => !fetched.has(name))) return undefined
      return Buffer.concat(bytesOf(message, header, fetched))
    },
  }
}

function bytesOf(part: MessagePart, header: Uint8Array, sections: ReadonlyMap<string, Uint8Array>): readonly Uint8Array[] {
  if (!isMultipart(part)) return [header, (isText(part) && sections.get(sectionOf(part))) || Buffer.alloc(0)]
  const boundary = part.parameters?.boundary
  const children = (part.childNodes ?? []).flatMap((child) => [
    Buffer.from(`\r\n--${boundary}\r\n`),
    ...bytesOf(child, sections.get(headerOf(child)) ?? Buffer.alloc(0), sections),
  ])
  return [header, ...children, Buffer.from(`\r\n--${boundary}--\r\n`)]
}
