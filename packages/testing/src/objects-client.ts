import { status } from '@grpc/grpc-js'
import { grpcClient } from './grpc-client.js'

export { status }

interface Somebody {
  readonly userId: bigint
}

export const employee = ({ userId }: Somebody, role: string) => ({ employee: { id: String(userId), role } })
export const client = ({ userId }: Somebody) => ({ client: { id: String(userId) } })

/** Calls a service about its objects, as the service files does. */
export function objectsClient(address: string) {
  const objects = grpcClient(address, 'caseway.objects.v1.ObjectService')
  return {
    close: objects.close,

    /** The status code of the answer: 0 if it is allowed. */
    mayLink: (customerId: bigint, person: object, name: string, id: number | bigint): Promise<number> =>
      objects.call('MayLink', { customer_id: String(customerId), person, object_name: name, object_id: String(id) }).then(
        () => status.OK,
        ({ code }: { code: number }) => code,
      ),

    /** The state of an object; undefined if the office has none. */
    async stateOf(customerId: bigint, name: string, id: number | bigint): Promise<Record<string, string> | undefined> {
      const request = { customer_id: String(customerId), object_name: name, object_ids: [String(id)] }
      return (await objects.call<{ objects: Record<string, string>[] }>('GetObjects', request)).objects[0]
    },
  }
}

export type ObjectsClient = ReturnType<typeof objectsClient>
