import type { Variables } from '../config/index.js'
import type { ClientClass, PrismaClientLike } from '../database/index.js'
import type { Tables } from '../tables/index.js'
import type { ServiceConfig } from './service-config.js'
import type { WireContext, Wired } from './wired.js'

export interface ServiceDefinition<Own extends Variables, Client extends ClientClass<PrismaClientLike>, Administration> {
  /** The name of its folder, database role, consumer group and certificate. */
  readonly name: string
  readonly config: ServiceConfig<Own>
  /** The class that `prisma generate` has generated. */
  readonly client: Client
  /** The rules of every table; see `tables`. */
  readonly tables: Tables
  /** Builds the modules of the service and connects them. Must not start anything. */
  wire(context: WireContext<Own, InstanceType<Client>>): Wired<Administration> | Promise<Wired<Administration>>
}
