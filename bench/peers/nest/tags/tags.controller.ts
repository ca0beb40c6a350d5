import { Controller, Get, Param, ParseIntPipe, Query } from '@nestjs/common'
import { type Caller, CurrentCaller } from '../caller.decorator.js'
import { ListTagsQuery } from './list-tags.query.js'
import { TagsService } from './tags.service.js'

@Controller('rest/tag')
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  @Get()
  list(@CurrentCaller() caller: Caller, @Query() query: ListTagsQuery) {
    return this.tags.list(caller, query.limit)
  }

  @Get(':id')
  get(@CurrentCaller() caller: Caller, @Param('id', ParseIntPipe) id: number) {
    return this.tags.get(caller, id)
  }
}
