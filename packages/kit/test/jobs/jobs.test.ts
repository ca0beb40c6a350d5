import { describe } from '@jest/globals'
import { claimsContract } from './claims.contract.js'
import { enqueueContract } from './enqueue.contract.js'
import { failuresContract } from './failures.contract.js'
import { kitQueue } from './support/world.js'

describe('the queue: enqueueing', () => enqueueContract(kitQueue))
describe('the queue: claims', () => claimsContract(kitQueue))
describe('the queue: failures', () => failuresContract(kitQueue))
