import { Controller, Get } from '@nestjs/common'
import { type Caller, CurrentCaller } from '../caller.decorator.js'
import { CountersService } from './counters.service.js'

@Controller('rest/counter')
export class CountersController {
  constructor(private readonly counters: CountersService) {}

  @Get()
  get(@CurrentCaller() caller: Caller) {
    return this.counters.get(caller)
  }
}
