import { mkdirSync, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from './home.js'

/** The recipient and the link of a mail (quoted-printable, RFC 2045 6.7); undefined without a link. */
export function linkOf(mail: string): string | undefined {
  const plain = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [, to] = /^To: <?([^>\r\n]+)/m.exec(plain) ?? []
  const [url] = /^https?:\/\/\S+$/m.exec(plain) ?? []
  return to && url && `Mail to ${to}: ${url}`
}

/** Prints the link of each mail that is written from now on. Does not keep the process running. */
export function showLinks({ mails }: Pick<Home, 'mails'>, print: (line: string) => void): { close(): void } {
  mkdirSync(mails, { recursive: true, mode: 0o700 })
  return watch(mails, { persistent: false }, (_event, name) => {
    if (!name?.endsWith('.eml')) return
    readFile(join(mails, name), 'utf8').then(
      (mail) => print(linkOf(mail) ?? `Mail: ${name}`),
      // The file was deleted immediately.
      () => undefined,
    )
  })
}
