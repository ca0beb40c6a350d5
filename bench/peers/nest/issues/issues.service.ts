import { Injectable } from '@nestjs/common'
import type { Caller } from '../caller.decorator.js'
import { PrismaService } from '../prisma.service.js'
import type { IssueInput } from './create-issue.dto.js'

@Injectable()
export class IssuesService {
  constructor(private readonly prisma: PrismaService) {}

  /** Creates a case with the next number of the office, without an event, counters or live stream. */
  create({ customerId }: Caller, { subject, priority }: IssueInput): Promise<bigint> {
    return this.prisma.$transaction(async (tx) => {
      const number = { where: { customerId }, create: { customerId, last: 1 }, update: { last: { increment: 1 } } }
      const { last } = await tx.issueNumber.upsert(number)
      const { id } = await tx.issue.create({ data: { customerId, number: last, subject, priority, status: 'new' } })
      return id
    })
  }
}
