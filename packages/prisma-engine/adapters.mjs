import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { connectionTo } from './connection.mjs'

/** OIDs of types in pg_type. */
const CHAR_OID = 18
const TEXT_OID = 25

/** Runs statements in the database "postgres" of the server, from which databases are created. */
export async function asAdministrator(url, run) {
  const client = new pg.Client(connectionTo(url, 'postgres'))
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/**
 * Adapts `@prisma/adapter-pg`, which is made for queries, for migrations:
 * - a script is sent as a whole, as the binary engine does (the adapter splits it at each semicolon, also in the body of a function);
 * - the type "char" of the system catalogs, which introspection reads, is mapped.
 */
function forMigrations(adapter) {
  const performIO = adapter.performIO.bind(adapter)
  const queryRaw = adapter.queryRaw.bind(adapter)
  let chars = []
  return Object.assign(adapter, {
    async executeScript(script) {
      try {
        await adapter.client.query(script)
      } catch (error) {
        adapter.onError(error)
      }
    },
    async performIO(query) {
      const answer = await performIO(query)
      const result = Array.isArray(answer) ? answer.at(-1) : answer // several statements in one string
      chars = result.fields.map(({ dataTypeID }) => dataTypeID === CHAR_OID)
      const fields = result.fields.map(({ name, dataTypeID }, i) => ({ name, dataTypeID: chars[i] ? TEXT_OID : dataTypeID }))
      return { ...result, rowCount: result.rowCount, fields }
    },
    async queryRaw(query) {
      const result = await queryRaw(query)
      return { ...result, columnTypes: result.columnTypes.map((type, i) => (chars[i] ? ColumnTypeEnum.Character : type)) }
    },
  })
}

/** Connects to the database of `url`. Shadow databases are created on the same server, and dropped when they are disposed of. */
export class MigrationAdapterFactory extends PrismaPg {
  #url

  constructor(url) {
    super(connectionTo(url))
    this.#url = url
  }

  async connect() {
    return forMigrations(await super.connect())
  }

  async connectToShadowDb() {
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
    await asAdministrator(this.#url, (client) => client.query(`CREATE DATABASE "${name}"`))
    const shadow = forMigrations(await new PrismaPg(connectionTo(this.#url, name)).connect())
    const dispose = shadow.dispose.bind(shadow)
    shadow.dispose = async () => {
      await dispose()
      await asAdministrator(this.#url, (client) => client.query(`DROP DATABASE "${name}"`))
    }
    return shadow
  }
}

const offlineAdapter = {
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  getConnectionInfo: () => ({ supportsRelationJoins: true }),
  queryRaw: async () => ({
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
    rows: [[true, 'PostgreSQL 18.0', 180000]],
  }),
  executeRaw: async () => 0,
  async executeScript() {},
  async dispose() {},
}

/** For the comparison of two schema files, for which the engine asks only for the version of the server. */
export const offlineAdapterFactory = {
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  connect: async () => offlineAdapter,
  connectToShadowDb: async () => offlineAdapter,
}
