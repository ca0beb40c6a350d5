import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { statements } from './statements.js'

/** A value's place in a statement that is built once and used for all queries of one shape. */
export class Param<Query> {
  constructor(readonly read: (query: Query) => unknown) {}
}

/** Marks where a value of each query goes. To the builder it is that value. */
export type ParamOf<Query> = <Value>(read: (query: Query) => Value) => Value

const filled = <Query, Row>(statement: CompiledQuery<Row>, query: Query): CompiledQuery<Row> => ({
  ...statement,
  parameters: statement.parameters.map((parameter) => (parameter instanceof Param ? parameter.read(query) : parameter)),
})

/**
 * A statement that is built once, at its first use: to build one costs as much as to send it.
 * `prepared((param: ParamOf<{ id: Id }>) => statements<Tables>().selectFrom('tags').where('id', '=', param(({ id }) => id)))`, or of Kysely's
 * template: ``prepared((param: ParamOf<{ id: Id }>) => sql<Tag>`SELECT * FROM tags WHERE id = ${param(({ id }) => id)}`)``
 */
export function prepared<Query, Row>(build: (param: ParamOf<Query>) => Compilable<Row>): (query: Query) => CompiledQuery<Row>
export function prepared<Query, Row>(build: (param: ParamOf<Query>) => RawBuilder<Row>): (query: Query) => CompiledQuery<Row>
export function prepared<Query, Row>(
  build: (param: ParamOf<Query>) => Compilable<Row> | RawBuilder<Row>,
): (query: Query) => CompiledQuery<Row> {
  let statement: CompiledQuery<Row> | undefined
  const param = <Value>(read: (query: Query) => Value) => new Param(read) as Value
  return (query) => {
    statement ??= build(param).compile(statements())
    return filled(statement, query)
  }
}

const maxShapes = 200

/** Statements by their shape, where that depends on what is asked. */
export function createQueryCache() {
  const shapes = new LRUCache<string, CompiledQuery>({ max: maxShapes })
  return <Query, Row>(shape: string, build: () => Compilable<Row>, query: Query): CompiledQuery<Row> => {
    const statement = (shapes.get(shape) as CompiledQuery<Row> | undefined) ?? build().compile()
    shapes.set(shape, statement)
    return filled(statement, query)
  }
}
