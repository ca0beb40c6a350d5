import { translated } from '../errors.js'
import type { Scope } from '../scope.js'
import type { ReaderOf } from '../types.js'
import { type Contexts, runningFrame } from './context.js'

const readOperations = ['findFirst', 'findFirstOrThrow', 'findMany', 'count', 'aggregate', 'groupBy'] as const

/** Those that read one row, by an index. */
const pipelined: ReadonlySet<string> = new Set(['findFirst', 'findFirstOrThrow'])

type Models = Record<string, Record<string, (args: unknown) => Promise<unknown>>>

/**
 * The reading operations of a Prisma client under one scope. Not by Prisma's `$extends`, which would make each read a third more expensive.
 */
export function readerOf<Client>(contexts: Contexts, client: Client, scope: Scope): ReaderOf<Client> {
  const read = (model: string, operation: string) => (args: unknown) => {
    const frame = runningFrame(contexts)
    const models = client as Models
    // Prisma's promises are lazy: they send their statement when they are awaited, which must happen inside of the context.
    const start = async () => models[model]?.[operation]?.(args)
    return contexts.run({ scope, frame, pipelined: pipelined.has(operation) }, () => (frame ? start() : translated(start())))
  }
  const reader = (model: string) => Object.fromEntries(readOperations.map((operation) => [operation, read(model, operation)]))
  const isModel = (name: unknown): name is string => typeof name === 'string' && !name.startsWith('$') && name in (client as object)
  return new Proxy({}, { get: (_, name) => (isModel(name) ? reader(name) : undefined) }) as ReaderOf<Client>
}
