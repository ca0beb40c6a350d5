import type { Database, TransactionOf } from '@caseway/kit/database'
import type { PrismaClient } from './generated/client.js'

export type Db = Database<PrismaClient>
export type Tx = TransactionOf<PrismaClient>
