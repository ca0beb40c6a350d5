import type { BlobStore } from '@caseway/kit/blobs'
import type { GrpcEndpoint } from '@caseway/kit/grpc'
import type { Secrets } from '@caseway/kit/secrets'
import { frozenMessages } from './frozen-message.service.js'
import { grpcAttachedFiles } from './grpc-attached-files.client.js'
import { messageIds } from './message-id.js'
import { nodemailerMessageComposer } from './nodemailer-message-composer.client.js'

interface Parts {
  readonly secrets: Secrets
  readonly blobs: BlobStore
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** How messages are written down. */
export function wireComposition({ secrets, blobs, peer, onClose }: Parts) {
  const files = grpcAttachedFiles({ peer, onClose })
  return {
    frozen: frozenMessages({ blobs, composer: nodemailerMessageComposer(), files }),
    ids: messageIds(secrets.digests('message-ids')),
  }
}

export type Composition = ReturnType<typeof wireComposition>
