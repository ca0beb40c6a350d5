import type { Variables } from '../config/index.js'
import type { ClientClass, PrismaClientLike } from '../database/index.js'
import type { Tables } from '../tables/index.js'
import type { ServiceConfig } from './service-config.js'
import type { WireContext, Wired } from './wired.js'

export interface ServiceDefinition<Own extends Variables, Client extends ClientClass<PrismaClientLike>, Administration> {
  /** Of its folder, its database role, its consumer group and its certificate. */
  readonly name: string
  readonly config: ServiceConfig<Own>
  /** The class that `prisma generate` made. */
  readonly client: Client
  /** Every table, with who reads its rows and whose data they are. */
  readonly tables: Tables
  /** Who uses whom, and what is served of it. Starts nothing. */
  wire(context: WireContext<Own, InstanceType<Client>>): Wired<Administration> | Promise<Wired<Administration>>
}
