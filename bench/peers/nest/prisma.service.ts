import { hash } from 'node:crypto'
import { PrismaClient } from '@caseway/cases-and-counters/generated/client'
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'

/**
 * Uses the schema of the service, so that tables and client are the same. Statements are prepared, as in the other peers: by default Prisma has each
 * planned anew, and for an office with more tags than others the planner would then scan the tags of all offices.
 */
@Injectable()
export class PrismaService extends PrismaClient implements OnModuleInit, OnModuleDestroy {
  constructor() {
    const pool = { connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_MAX) }
    super({ adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => hash('md5', sql) }) })
  }

  async onModuleInit(): Promise<void> {
    await this.$connect()
  }

  async onModuleDestroy(): Promise<void> {
    await this.$disconnect()
  }
}
