import type { Compilable, CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'

/** A value's place in a statement that is built once and used for all queries of one shape. */
export class Slot<Query> {
  constructor(readonly read: (query: Query) => unknown) {}
}

const maxShapes = 200

/** Statements by their shape: to build one costs as much as to send it. */
export function createShapes() {
  const shapes = new LRUCache<string, CompiledQuery>({ max: maxShapes })
  return <Query, Row>(shape: string, build: () => Compilable<Row>, query: Query): CompiledQuery<Row> => {
    const statement = shapes.get(shape) ?? build().compile()
    shapes.set(shape, statement)
    const parameters = statement.parameters.map((parameter) => (parameter instanceof Slot ? parameter.read(query) : parameter))
    return { ...statement, parameters }
  }
}
