import type { Script } from './scripted-server.js'

/** A folder of a scripted IMAP server. */
export interface ScriptedFolder {
  readonly attributes?: string
  uidValidity: number
  /** The messages by UID. */
  readonly messages: Map<number, string>
}

/** Answers a command in place of the usual answer; undefined for the usual one. The line has no tag. */
export type Deviation = (line: string, tag: string, folder: string) => string | null | undefined

interface ScriptedImap {
  readonly capabilities?: string
  readonly folders: ReadonlyMap<string, ScriptedFolder>
  readonly deviation?: Deviation
}

export const scriptedFolder = (...subjects: readonly string[]): ScriptedFolder => ({
  uidValidity: 1,
  messages: new Map(subjects.map((subject, at) => [at + 1, messageOf(subject)])),
})

export const messageOf = (subject: string): string => `From: a@caseway.test\r\nSubject: ${subject}\r\n\r\nThe body.\r\n`

const unquoted = (name: string) => name.replace(/^"(.*)"$/, '$1')

const uidNextOf = ({ messages }: ScriptedFolder) => Math.max(0, ...messages.keys()) + 1

const isIn = (set: string, uid: number, last: number) =>
  set.split(',').some((part) => {
    const [first = 0, end = first] = part.split(':').map((one) => (one === '*' ? last : Number(one)))
    return Math.min(first, end) <= uid && uid <= Math.max(first, end)
  })

const literal = (name: string, text: string) => `${name} {${Buffer.byteLength(text)}}\r\n${text}`

const bodyOf = (text: string, items: string) => {
  const [, from, count] = /\[\]<(\d+)\.(\d+)>/.exec(items) ?? []
  if (from === undefined) return literal('BODY[]', text)
  return literal(`BODY[]<${from}>`, text.slice(Number(from), Number(from) + Number(count)))
}

const fetched = (seq: number, uid: number, text: string, items: string) => {
  const header = text.slice(0, text.indexOf('\r\n\r\n') + 4)
  const found = [
    `UID ${uid}`,
    ...(/FLAGS/.test(items) ? ['FLAGS ()'] : []),
    ...(/INTERNALDATE/.test(items) ? ['INTERNALDATE "01-Nov-2026 10:00:00 +0000"'] : []),
    ...(/SIZE/.test(items) ? [`RFC822.SIZE ${text.length}`] : []),
    ...(/\[HEADER\]/.test(items) ? [literal('BODY[HEADER]', header)] : []),
    ...(/\[\]/.test(items) ? [bodyOf(text, items)] : []),
  ]
  return `* ${seq} FETCH (${found.join(' ')})\r\n`
}

/** The script of an IMAP4rev1 server (RFC 3501) without extensions, whose folders are given. */
export function imapScript({ capabilities = 'IMAP4rev1', folders, deviation = () => undefined }: ScriptedImap): Script {
  const open = new WeakMap<object, string>()
  const idling = new WeakMap<object, string>()
  const usual = (line: string, tag: string, connection: object): string | null => {
    const [, verb = '', rest = ''] = /^(UID \S+|\S+) ?(.*)$/.exec(line) ?? []
    const folder = folders.get(open.get(connection) ?? '')
    const uids = [...(folder?.messages.keys() ?? [])].sort((one, other) => one - other)
    const among = (set: string) => uids.filter((uid) => isIn(set, uid, uids.at(-1) ?? 0))
    const done = `${tag} OK done\r\n`
    switch (verb.toUpperCase()) {
      case 'CAPABILITY':
        return `* CAPABILITY ${capabilities}\r\n${done}`
      case 'LIST':
        // The hierarchy delimiter alone (RFC 3501, 6.3.8).
        if (rest === '"" ""') return `* LIST (\\Noselect) "/" ""\r\n${done}`
        return [...folders].map(([name, { attributes = '' }]) => `* LIST (${attributes}) "/" "${name}"\r\n`).join('') + done
      case 'STATUS': {
        const [, name = ''] = /^("[^"]*"|\S+)/.exec(rest) ?? []
        const one = folders.get(unquoted(name))
        if (!one) return `${tag} NO no such folder\r\n`
        return `* STATUS ${name} (MESSAGES ${one.messages.size} UIDNEXT ${uidNextOf(one)} UIDVALIDITY ${one.uidValidity})\r\n${done}`
      }
      case 'SELECT': {
        const one = folders.get(unquoted(rest))
        if (!one) return `${tag} NO no such folder\r\n`
        open.set(connection, unquoted(rest))
        return `* ${one.messages.size} EXISTS\r\n* OK [UIDVALIDITY ${one.uidValidity}] x\r\n* OK [UIDNEXT ${uidNextOf(one)}] x\r\n${tag} OK [READ-WRITE] done\r\n`
      }
      case 'UID SEARCH':
        return `* SEARCH ${among(/UID (\S+)/.exec(rest)?.[1] ?? '1:*').join(' ')}\r\n${done}`
      case 'UID FETCH': {
        const [set = '', items = ''] = [rest.split(' ')[0], rest]
        return (
          among(set)
            .map((uid) => fetched(uids.indexOf(uid) + 1, uid, folder?.messages.get(uid) ?? '', items))
            .join('') + done
        )
      }
      case 'LOGOUT':
        return `* BYE bye\r\n${done}`
      case 'IDLE':
        idling.set(connection, tag)
        return '+ idling\r\n'
      default:
        return done
    }
  }
  return {
    greeting: `* OK hello\r\n`,
    answer(line, connection = {}) {
      if (line === 'DONE') return `${idling.get(connection)} OK done\r\n`
      const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? []
      const other = deviation(command, tag, open.get(connection) ?? '')
      return other === undefined ? usual(command, tag, connection) : other
    },
  }
}
