import type { ImapFlow } from 'imapflow'
import { MailConnectionError } from '../mail-connections/mail-connection-error.js'
import type { MailboxAccess } from '../mail-connections/mailbox-access.js'
import type { OpenSentFolder } from './sent-folder.js'

/** Uses imapflow, which finds the folder by its special use (RFC 6154) or by a usual name. */
export const imapSentFolder =
  (open: (mailbox: MailboxAccess) => Promise<ImapFlow>): OpenSentFolder =>
  async (mailbox) => {
    const client = await open(mailbox)
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch {
        throw new MailConnectionError('protocol')
      }
    }
    const close = async () => void client.logout().catch(() => client.close())
    try {
      const path = await guarded(async () => (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path)
      if (path === undefined) {
        await close()
        return null
      }
      await guarded(() => client.mailboxOpen(path))
      return {
        has: (messageId) =>
          guarded(async () => {
            await client.noop()
            const found = await client.search({ header: { 'message-id': `<${messageId}>` } }, { uid: true })
            if (!found) throw new MailConnectionError('protocol')
            return found.length > 0
          }),
        async append(bytes) {
          const stored = await client.append(path, Buffer.from(bytes), ['\\Seen']).catch(() => undefined)
          if (!stored && !client.usable) throw new MailConnectionError('protocol')
          return Boolean(stored)
        },
        close,
      }
    } catch (error) {
      client.close()
      throw error
    }
  }
