import {
  type LinkableObject as Message,
  type ObjectServiceServer,
  ObjectServiceService,
  type Person,
} from '@caseway/protos/objects/v1/objects'
import { type Client, type Employee, type EmployeeRole, employees, type Id } from '../caller/index.js'
import { forbidden, notFound } from '../errors/index.js'
import { unary } from '../grpc/index.js'

/** Somebody who attaches a file to an object, or takes it away. The service that asks has checked their token; the id of their session is empty. */
export type Linker = Employee | Pick<Client, 'role' | 'customerId' | 'userId'>

/** An object to which files can be attached. */
export interface LinkableObject {
  readonly id: Id
  /** The client who sees it at this moment, and with it what is attached; null while none does. */
  readonly userClientId: Id | null
  /** The case that it belongs to, whose events tell when the client may have changed. */
  readonly issueId: Id | null
  /** Advanced by each change of the above. */
  readonly version: number
}

interface Versioned {
  readonly id: Id
  readonly version: number
}

/** An object that no client sees, and with it none of the files that are attached to it. */
export const seenByEmployees = ({ id, version }: Versioned, issueId: Id | null = null): LinkableObject => ({
  ...{ id, userClientId: null, issueId, version },
})

/** The objects of one name, by the service that owns them. */
export interface LinkableObjects<Found extends LinkableObject = LinkableObject> {
  /** Those of `ids` that the office has, in no order. */
  some(customerId: Id, ids: readonly Id[]): Promise<readonly Found[]>
  /** @throws AppError `forbidden` for who may not change what is attached to it, `not-found` for who does not see it */
  require(linker: Linker, object: Found): Promise<void>
}

/**
 * What a service answers of its objects: an entry of `grpc.services` in its wiring, `objectService({ Comment: commentObjects })`. An object of another
 * office, and one of a name that the service does not have, is `not-found`, as one that does not exist.
 */
export function objectService(
  objects: Readonly<Record<string, LinkableObjects>>,
): readonly [typeof ObjectServiceService, ObjectServiceServer] {
  const some = async (name: string, customerId: Id, ids: readonly Id[]) =>
    Object.hasOwn(objects, name) ? ((await objects[name]?.some(customerId, ids)) ?? []) : []

  return [
    ObjectServiceService,
    {
      mayLink: unary(async ({ customerId, person, objectName, objectId }) => {
        const [object] = await some(objectName, customerId, [objectId])
        if (!object) throw notFound()
        await objects[objectName]?.require(linkerOf(customerId, person), object)
        return { object: messageOf(object) }
      }),

      getObjects: unary(async ({ customerId, objectName, objectIds }) => ({
        objects: (await some(objectName, customerId, objectIds)).map(messageOf),
      })),
    },
  ]
}

const messageOf = ({ id, userClientId, issueId, version }: LinkableObject): Message => ({
  id,
  userClientId: userClientId ?? undefined,
  issueId: issueId ?? undefined,
  revision: BigInt(version),
})

const isEmployee = (role: string): role is EmployeeRole => employees.includes(role as EmployeeRole)

/** @throws AppError `forbidden` for a person of a kind or a role that this build does not know */
function linkerOf(customerId: Id, person: Person | undefined): Linker {
  const kind = person?.kind
  if (kind?.$case === 'client') return { role: 'client', customerId: null, userId: kind.value.id }
  if (kind?.$case !== 'employee' || !isEmployee(kind.value.role)) throw forbidden()
  return { audience: 'expert', role: kind.value.role, customerId, userId: kind.value.id, sessionId: '' }
}
