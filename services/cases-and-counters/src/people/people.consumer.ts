import { consumer } from '@caseway/kit/events'
import { customerTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { copiedCustomer, copiedLink, copiedUser } from './copied-people.js'
import type { PeopleService } from './people.service.js'

export const peopleConsumers = (people: PeopleService) => [
  consumer(userTopic, async (event) => void (await people.keepUsers([copiedUser(event)]))),
  consumer(customerTopic, async (event) => void (await people.keepCustomers([copiedCustomer(event)]))),
  consumer(linkTopic, async (event) => void (await people.keepLinks([copiedLink(event)]))),
]
