import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { statements } from './statements.js'

/** A placeholder, in a statement that is built once, for a value that differs between queries. */
export class Param<Query> {
  constructor(readonly read: (query: Query) => unknown) {}
}

/** Returns a placeholder for a value of each query. It has the type of the value, so that builders accept it. */
export type ParamOf<Query> = <Value>(read: (query: Query) => Value) => Value

const filled = <Query, Row>(statement: CompiledQuery<Row>, query: Query): CompiledQuery<Row> => ({
  ...statement,
  parameters: statement.parameters.map((parameter) => (parameter instanceof Param ? parameter.read(query) : parameter)),
})

/**
 * A statement that is built once, at its first use, because building one costs as much as sending it. With Kysely's builder or its template:
 * `prepared((param: ParamOf<{ id: Id }>) => statements<Tables>().selectFrom('tags').where('id', '=', param(({ id }) => id)))`,
 * ``prepared((param: ParamOf<{ id: Id }>) => sql<Tag>`SELECT * FROM tags WHERE id = ${param(({ id }) => id)}`)``
 * @returns the function that fills in the values of a query
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

/** Caches statements by a key, for statements whose text depends on the query (its filters, its order). */
export function createQueryCache() {
  const shapes = new LRUCache<string, CompiledQuery>({ max: maxShapes })
  return <Query, Row>(shape: string, build: () => Compilable<Row>, query: Query): CompiledQuery<Row> => {
    const statement = (shapes.get(shape) as CompiledQuery<Row> | undefined) ?? build().compile()
    shapes.set(shape, statement)
    return filled(statement, query)
  }
}
