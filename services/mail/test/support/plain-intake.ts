import type { Tx } from '../../src/database.js'
import type { Announced, Arrived, Intake, ReceivingMailbox } from '../../src/received-messages/arrived-message.js'
import { systemFolder } from '../../src/received-messages/target-folder.js'

/** Stores what arrives, in one folder, so that the engine can be seen alone. */
export const plainIntake: Intake = {
  decide: async ({ fetchAfter }, messages) =>
    messages.map(({ internalDate }) =>
      fetchAfter !== null && internalDate < fetchAfter
        ? { kind: 'discard', reason: { by: 'too-old' } }
        : { kind: 'store', folder: systemFolder('OTHERS'), clientId: null, reason: { by: 'unknown', folder: 'OTHERS' } },
    ),

  async store(tx, mailbox, messages) {
    const unusedBlobs: string[] = []
    for (const message of messages) {
      const { customerId, id: mailServerId } = mailbox
      const sha256 = Buffer.from(message.sha256)
      const known = await tx.mailReceivedMessage.findFirst({ where: { customerId, mailServerId, sha256 } })
      if (known) unusedBlobs.push(message.blobKey)
      await place(tx, mailbox, message, (known ?? (await create(tx, mailbox, message))).id)
    }
    return { stored: messages.length - unusedBlobs.length, duplicates: unusedBlobs.length, unusedBlobs }
  },

  async discard(tx, mailbox, messages) {
    for (const message of messages) await place(tx, mailbox, message, null)
  },

  async seen(tx, { customerId }, places) {
    for (const { place, seen } of places) {
      const { remoteFolderId, epoch, uid } = place
      const where = { customerId, remoteFolderId, epoch, uid }
      await tx.messageLocation.updateMany({ where, data: { seen } })
      const at = await tx.messageLocation.findFirst({ where })
      if (at?.messageId && at.seenToSet === null)
        await tx.mailReceivedMessage.update({ where: { id: at.messageId, customerId }, data: { isRead: seen } })
    }
  },
}

const place = (tx: Tx, { customerId }: ReceivingMailbox, { place: at, seen }: Announced, messageId: bigint | null) => {
  const { specialUse, ...key } = at
  const { remoteFolderId, epoch, uid } = key
  const where = { remoteFolderId_epoch_uid: { remoteFolderId, epoch, uid } }
  return tx.messageLocation.upsert({ where, create: { ...key, customerId, messageId, seen }, update: { messageId, seen } })
}

const create = (tx: Tx, { id: mailServerId, customerId, userId }: ReceivingMailbox, message: Arrived) => {
  const { headers, parsed, size, seen, blobKey } = message
  if (headers.get('X-Poison').includes('yes')) throw new Error('It cannot be stored.')
  return tx.mailReceivedMessage.create({
    data: {
      ...{ customerId, mailServerId, userId, mailThreadId: 1n, timestamp: message.internalDate, size, blobKey, isRead: seen },
      ...{ mailAddress: headers.from?.address ?? '', mailName: '', mailTo: '[]', mailCc: '[]', mailSubject: headers.subject },
      ...{ mailBody: parsed?.html ?? '', bodyText: parsed?.text ?? '', hasAttachments: (parsed?.attachments.length ?? 0) > 0 },
      ...{ msgUniqueIdentifier: headers.messageId, parseState: parsed ? 'parsed' : 'failed', folderName: 'OTHERS' },
      sha256: Buffer.from(message.sha256),
    },
  })
}
