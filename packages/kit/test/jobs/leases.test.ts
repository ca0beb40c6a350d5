import { describe } from '@jest/globals'
import { leasesContract } from './leases.contract.js'
import { kitQueue } from './support/world.js'

describe('the queue: leases', () => leasesContract(kitQueue))
