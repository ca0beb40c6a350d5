import { Body, Controller, Post, Res } from '@nestjs/common'
import type { FastifyReply } from 'fastify'
import { type Caller, CurrentCaller } from '../caller.decorator.js'
import { CreateIssueDto } from './create-issue.dto.js'
import { IssuesService } from './issues.service.js'

@Controller('rest/issue')
export class IssuesController {
  constructor(private readonly issues: IssuesService) {}

  @Post()
  async create(@CurrentCaller() caller: Caller, @Body() { Issue }: CreateIssueDto, @Res({ passthrough: true }) reply: FastifyReply) {
    const id = Number(await this.issues.create(caller, Issue))
    reply.header('location', `/rest/issue/${id}`)
    return { id }
  }
}
