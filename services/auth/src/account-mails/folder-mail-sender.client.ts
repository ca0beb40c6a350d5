import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@caseway/kit/folders'
import { createTransport } from 'nodemailer'
import { messageOf, noAccess } from './mail-message.client.js'
import type { MailSender } from './mail-sender.js'

interface FolderOptions {
  readonly folder: string
  readonly from: string
}

/**
 * Used where no mail server is configured: writes each mail into a file of its own (`.eml`, RFC 5322), readable by the owner only. File names contain
 * nothing from outside, and sort by time.
 */
export function folderMailSender({ folder, from }: FolderOptions): MailSender {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...noAccess })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(from, mail))
      const name = join(folder, `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID()}`)
      await makeFolder(folder)
      await writeFile(`${name}.unfinished`, message as Buffer, { mode: 0o600, flag: 'wx' })
      await rename(`${name}.unfinished`, `${name}.eml`)
    },
  }
}
