import { mkdirSync, watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from './home.js'
import { passedOn } from './passed-on.js'

/** Where auth sends its mails: to the server that the environment of the launcher names, without one into the home. */
export const mailVariablesOf = (env: NodeJS.ProcessEnv, { folder }: Home): Record<string, string> => ({
  ...passedOn(env, /^AUTH_(?:SMTP_|MAIL_|EXPERT_PAGES_|CLIENT_PAGES_)/),
  CASEWAY_HOME: folder,
})

/** The recipient and the link of a mail (quoted-printable, RFC 2045 6.7); undefined when it has none. */
export function linkOf(mail: string): string | undefined {
  const plain = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const [, to] = /^To: <?([^>\r\n]+)/m.exec(plain) ?? []
  const [url] = /^https?:\/\/\S+$/m.exec(plain) ?? []
  return to && url && `Mail to ${to}: ${url}`
}

/** Says the link of each mail that is written from now on; keeps no process running. */
export function showLinks({ mails }: Pick<Home, 'mails'>, say: (line: string) => void): { close(): void } {
  mkdirSync(mails, { recursive: true, mode: 0o700 })
  return watch(mails, { persistent: false }, (_event, name) => {
    if (!name?.endsWith('.eml')) return
    readFile(join(mails, name), 'utf8').then(
      (mail) => say(linkOf(mail) ?? `Mail: ${name}`),
      // It was deleted at once.
      () => undefined,
    )
  })
}
