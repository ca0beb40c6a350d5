import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createFileRegistry, type DescFile, fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt'

/** The FileDescriptorSet of all contracts, as `buf build` writes it. */
const descriptors: Buffer = readFileSync(createRequire(import.meta.url).resolve('@caseway/protos/descriptors.binpb'))

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors))

/** The names of the methods of a service that may be repeated: those whose contract has an `option idempotency_level`. */
export function repeatableMethods(serviceName: string): string[] {
  const methods = registry.getService(serviceName)?.methods ?? []
  return methods.filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN).map(({ name }) => name)
}

/** The files that declare these services, with all files that they import, each as a serialized `google.protobuf.FileDescriptorProto`. */
export function fileDescriptors(serviceNames: readonly string[]): Buffer[] {
  const files = new Set<DescFile>()
  const add = (file: DescFile) => {
    files.add(file)
    file.dependencies.filter((imported) => !files.has(imported)).forEach(add)
  }
  for (const name of serviceNames) {
    const service = registry.getService(name)
    if (service) add(service.file)
  }
  return [...files].map(({ proto }) => Buffer.from(toBinary(FileDescriptorProtoSchema, proto)))
}
