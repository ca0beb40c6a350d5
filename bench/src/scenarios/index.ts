import type { Scenario } from '../scenario.js'
import { board } from './board.js'
import { clientData } from './client-data.js'
import { comments } from './comments.js'
import { counter } from './counter.js'
import { create } from './create.js'
import { events } from './events.js'
import { files } from './files.js'
import { gatewayOverhead } from './gateway-overhead.js'
import { idle } from './idle.js'
import { jobs } from './jobs.js'
import { list } from './list.js'
import { mailIdle } from './mail-idle.js'
import { mailReceiving } from './mail-receiving.js'
import { mailSending } from './mail-sending.js'
import { polls } from './polls.js'
import { readOne } from './read-one.js'
import { report } from './report.js'
import { saves } from './saves.js'
import { search } from './search.js'
import { sentences } from './sentences.js'
import { streams } from './streams.js'
import { together } from './together.js'
import { webhooks } from './webhooks.js'

/** In the order in which they run: those that fill tables come last. */
export const scenarios: readonly Scenario[] = [
  together,
  jobs,
  idle,
  files,
  polls,
  clientData,
  saves,
  webhooks,
  mailIdle,
  mailReceiving,
  mailSending,
  gatewayOverhead,
  readOne,
  list,
  counter,
  create,
  comments,
  streams,
  events,
  search,
  sentences,
  board,
  report,
]
