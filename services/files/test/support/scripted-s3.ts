import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer of an S3 store without unfinished uploads (Amazon S3 API Reference, ListMultipartUploads). */
const nothingUnfinished = '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>'

export interface ScriptedS3 {
  /** The configuration variables of the service. */
  readonly variables: Record<string, string>
  /** The methods of the received requests for objects, such as `PUT`. */
  readonly methods: readonly string[]
  /** Lets held requests for objects, and all later ones, succeed. */
  readonly store: () => void
  stop(): Promise<void>
}

/** Starts an S3 store that answers no PUT of an object until `store` is called. */
export async function scriptedS3(): Promise<ScriptedS3> {
  const methods: string[] = []
  const { promise: mayStore, resolve: store } = Promise.withResolvers<void>()
  const server = createServer(async ({ method = '', url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://s3.test')
    if (pathname.length > '/files/'.length) methods.push(method)
    if (method === 'PUT') await mayStore
    response.end(searchParams.has('uploads') ? nothingUnfinished : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...{ methods, store },
    variables: {
      FILES_S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...{ FILES_S3_BUCKET: 'files', FILES_S3_ACCESS_KEY_ID: 'key', FILES_S3_SECRET_ACCESS_KEY: 'secret' },
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
