import type { BlobStore } from '@caseway/kit/blobs'
import type { Values } from '@caseway/kit/config'
import type { Peers } from '@caseway/kit/grpc'
import type { Secrets } from '@caseway/kit/secrets'
import type { compositionVariables } from './composition-variables.js'
import { dkimKeysIn } from './dkim-keys.client.js'
import { frozenMessages } from './frozen-message.service.js'
import { grpcAttachedFiles } from './grpc-attached-files.client.js'
import { messageIds } from './message-id.js'
import { nodemailerMessageComposer } from './nodemailer-message-composer.client.js'

interface Parts extends Peers {
  readonly config: Pick<Values<typeof compositionVariables>, 'dkimFolder'>
  readonly secrets: Secrets
  readonly blobs: BlobStore
}

/** Composes messages, stores their bytes, and makes their Message-IDs. */
export async function wireComposition({ config: { dkimFolder }, secrets, blobs, ...peers }: Parts) {
  const keys = dkimFolder === undefined ? [] : await dkimKeysIn(dkimFolder)
  const files = grpcAttachedFiles(peers)
  return {
    keys,
    frozen: frozenMessages({ blobs, composer: nodemailerMessageComposer(keys), files }),
    ids: messageIds(secrets.digests('message-ids')),
  }
}

export type Composition = Omit<Awaited<ReturnType<typeof wireComposition>>, 'keys'>
