import { type BlobStore, diskBlobStore } from '@caseway/kit/blobs'
import { grpcAddressVariable } from '@caseway/registry'
import { type FakeFiles, fakeFiles } from '@caseway/testing/fake-files'
import { type TestService, testService } from '@caseway/testing/service'
import { mail } from '../../src/wiring.js'
import { type Receiver, receiver } from './mailbox.js'
import { mailFolder } from './storage.js'

export interface ServiceWithFiles {
  readonly service: TestService
  readonly files: FakeFiles
  /** What receives. */
  readonly engine: Receiver
  /** The bytes of messages, in a storage of its own. */
  readonly blobs: BlobStore
  readonly folder: string
  stop(): Promise<void>
}

/** The service that serves requests, beside a stand-in for files. */
export async function serviceWithFiles(variables: Readonly<Record<string, string>> = {}): Promise<ServiceWithFiles> {
  const [storage, files] = [await mailFolder(), await fakeFiles()]
  const beside = { [grpcAddressVariable('files')]: files.address, MAIL_FOLDER: storage.folder }
  const service = await testService(mail, { variables: { MAIL_ROLES: 'http', ...beside, ...variables } })
  const engine = receiver(service.database)
  return {
    ...{ service, files, engine, blobs: diskBlobStore(storage.folder), folder: storage.folder },
    async stop() {
      await engine.db.close()
      await service.stop()
      await files.stop()
      await storage.remove()
    },
  }
}
