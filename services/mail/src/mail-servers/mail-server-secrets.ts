import type { Id } from '@caseway/kit/caller'
import type { Sealer } from '@caseway/kit/secrets'

const identityOf = (id: Id | string) => `mail_server ${id}`

/** Encrypts the secrets of mailboxes, each value for its own row. */
export const mailServerSecrets = (sealer: Sealer) => ({
  identityOf,
  seal: (text: string, id: Id) => sealer.seal(Buffer.from(text), identityOf(id)),
  open: (sealed: Uint8Array, id: Id) => sealer.open(sealed, identityOf(id)).toString(),
})
