import { Module } from '@nestjs/common'
import { CountersController } from './counters/counters.controller.js'
import { CountersService } from './counters/counters.service.js'
import { IssuesController } from './issues/issues.controller.js'
import { IssuesService } from './issues/issues.service.js'
import { PrismaService } from './prisma.service.js'
import { TagsController } from './tags/tags.controller.js'
import { TagsService } from './tags/tags.service.js'

@Module({
  controllers: [TagsController, CountersController, IssuesController],
  providers: [PrismaService, TagsService, CountersService, IssuesService],
})
export class AppModule {}
