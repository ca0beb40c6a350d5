import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createFileRegistry, fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'

/** The contracts of every service, as `buf build` writes them. */
export const descriptors: Buffer = readFileSync(createRequire(import.meta.url).resolve('@caseway/protos/descriptors.binpb'))

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors))

/** The methods of a service that its contract declares repeatable (`option idempotency_level`), by their names in the contract. */
export function repeatableMethods(serviceName: string): string[] {
  const methods = registry.getService(serviceName)?.methods ?? []
  return methods.filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN).map(({ name }) => name)
}
