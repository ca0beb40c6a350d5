import type { Tag } from '@caseway/cases-and-counters/generated/client'
import { Injectable, NotFoundException } from '@nestjs/common'
import type { Caller } from '../caller.decorator.js'
import { PrismaService } from '../prisma.service.js'

@Injectable()
export class TagsService {
  constructor(private readonly prisma: PrismaService) {}

  async list({ customerId }: Caller, limit: number) {
    const tags = await this.prisma.tag.findMany({ where: { customerId }, orderBy: { id: 'asc' }, take: limit })
    return tags.map(shown)
  }

  async get({ customerId }: Caller, id: number) {
    const tag = await this.prisma.tag.findFirst({ where: { id, customerId } })
    if (!tag) throw new NotFoundException()
    return shown(tag)
  }
}

const shown = ({ id, customerId, userId, name, colorBackground, colorText, issue, created, modified }: Tag) => ({
  Tag: {
    ...{ id: String(id), customer_id: String(customerId), user_id: String(userId), name },
    ...{ color_background: colorBackground, color_text: colorText, issue: issue ? '1' : '0', created, modified },
  },
})
