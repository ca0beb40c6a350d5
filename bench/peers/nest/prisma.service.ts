import { hash } from 'node:crypto'
import { PrismaClient } from '@caseway/cases-and-counters/generated/client'
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common'
import { PrismaPg } from '@prisma/adapter-pg'

/**
 * On the schema of the service, so that tables and client are the same. Statements are prepared, as those of the other peers: by itself Prisma has
 * each planned anew, and for the office with more tags than the others the planner then walks past the tags of all of them.
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
