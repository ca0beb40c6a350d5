import { type BlobStore, diskBlobStore } from '@caseway/kit/blobs'
import { grpcAddressVariable } from '@caseway/registry'
import { type FakeFiles, fakeFiles } from '@caseway/testing/fake-files'
import { type ServiceWithEngine, serviceWithEngine } from './service-with-engine.js'
import { mailFolder } from './storage.js'

export interface ServiceWithFiles extends ServiceWithEngine {
  readonly files: FakeFiles
  /** The storage of the bytes of messages. */
  readonly blobs: BlobStore
  readonly folder: string
}

/** The service with a stand-in for the service files. */
export async function serviceWithFiles(variables: Readonly<Record<string, string>> = {}): Promise<ServiceWithFiles> {
  const [storage, files] = [await mailFolder(), await fakeFiles()]
  const beside = { [grpcAddressVariable('files')]: files.address, MAIL_FOLDER: storage.folder }
  const { service, engine, stop } = await serviceWithEngine({ ...beside, ...variables })
  return {
    ...{ service, files, engine, blobs: diskBlobStore(storage.folder), folder: storage.folder },
    async stop() {
      await stop()
      await files.stop()
      await storage.remove()
    },
  }
}
