import { Injectable } from '@nestjs/common'
import type { Caller } from '../caller.decorator.js'
import { PrismaService } from '../prisma.service.js'

@Injectable()
export class CountersService {
  constructor(private readonly prisma: PrismaService) {}

  async get({ customerId, userId }: Caller) {
    const [counters, folders] = await Promise.all([this.countersOf(customerId, userId), this.foldersOf(customerId, userId)])
    const sum = (rows: readonly { value: number }[]) => rows.reduce((total, { value }) => total + value, 0)
    const of = (name: string) => sum(counters.filter(({ counter }) => counter === name))
    const mails = (name: string) => sum(folders.filter(({ folder }) => folder === name))
    const my = sum(counters.filter((row) => row.counter === 'owned' && row.userId === userId))
    return {
      Counter: {
        Issue: { my, unassigned: of('unassigned'), unaccepted: of('unaccepted'), delegated: of('delegated') },
        MailReceivedMysqlMessage: {
          ...{ clients: mails('clients'), others: mails('others'), drafts: mails('drafts'), offices: mails('offices') },
          ...{ providers: mails('providers'), leads: mails('leads'), customFolders: {} },
        },
      },
    }
  }

  private countersOf(customerId: bigint, userId: bigint) {
    const people = { in: [0n, userId] }
    const which = [{ userId: people }, { counter: 'delegated', otherUserId: people }, { counter: 'owned' }]
    return this.prisma.issueCounter.findMany({ where: { customerId, value: { not: 0 }, OR: which } })
  }

  private foldersOf(customerId: bigint, userId: bigint) {
    return this.prisma.mailFolderCount.findMany({ where: { customerId, userId: { in: [0n, userId] } } })
  }
}
