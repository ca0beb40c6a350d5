import {
  type LinkableObject as Message,
  type ObjectServiceServer,
  ObjectServiceService,
  type Person,
} from '@caseway/protos/objects/v1/objects'
import { type Client, type Employee, type EmployeeRole, employees, type Id } from '../caller/index.js'
import { forbidden, notFound } from '../errors/index.js'
import { unary } from '../grpc/index.js'

/** The caller who attaches a file to an object, or detaches it. The calling service has verified their token; `sessionId` is empty. */
export type Linker = Employee | Pick<Client, 'role' | 'customerId' | 'userId'>

/** An object to which files can be attached. */
export interface LinkableObject {
  readonly id: Id
  /** The client who currently sees the object and its attachments; null where none does. */
  readonly userClientId: Id | null
  /** The case that it belongs to: events of the case tell that `userClientId` may have changed. */
  readonly issueId: Id | null
  /** Grows with each change of the above. */
  readonly version: number
}

interface Versioned {
  readonly id: Id
  readonly version: number
}

/** An object that no client sees, so that its attachments are visible to employees only. */
export const seenByEmployees = ({ id, version }: Versioned, issueId: Id | null = null): LinkableObject => ({
  ...{ id, userClientId: null, issueId, version },
})

/** The objects of one name, as the service that owns them implements them. */
export interface LinkableObjects<Found extends LinkableObject = LinkableObject> {
  /** The objects with these ids that belong to the office, in any order. */
  some(customerId: Id, ids: readonly Id[]): Promise<readonly Found[]>
  /** Checks that `linker` may change the attachments of `object`. @throws AppError `forbidden`, or `not-found` where they may not see it */
  require(linker: Linker, object: Found): Promise<void>
}

/**
 * Implements `ObjectService` for the objects of a service: an entry of `grpc.services` in its wiring, `objectService({ Comment: commentObjects })`. An object
 * of another office, or of an unknown name, is `not-found` like one that does not exist.
 * @param objects by the names of the objects
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

/** @throws AppError `forbidden` for a kind of person, or a role, that this build does not know */
function linkerOf(customerId: Id, person: Person | undefined): Linker {
  const kind = person?.kind
  if (kind?.$case === 'client') return { role: 'client', customerId: null, userId: kind.value.id }
  if (kind?.$case !== 'employee' || !isEmployee(kind.value.role)) throw forbidden()
  return { audience: 'expert', role: kind.value.role, customerId, userId: kind.value.id, sessionId: '' }
}
