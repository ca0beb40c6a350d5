import { auditTopic, userTopic } from '@caseway/protos/topics'
import type { TestTenant } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { mail } from '../../src/wiring.js'
import { createMailServer, shownServer } from '../support/mail-servers.js'

const smtp = { server_protocol: 1, server_address: 'smtp.office.example', server_port: 465 }

let service: TestService
let here: TestTenant
beforeAll(async () => {
  service = await testService(mail, { variables: { MAIL_ROLES: 'http' } })
})
afterAll(() => service.stop())
beforeEach(() => {
  here = service.office()
})

const expert = () => service.asExpert(here.expert)
const eventOf = (fields: object) => user({ id: here.expert.userId, customerId: here.customerId, ...fields })
const stateOf = async (id: number) => (await shownServer(expert(), id)).state

it('the sending mailboxes of a deactivated person are paused; their receiving ones, and those of others, are not', async () => {
  const [sends, receives] = [await createMailServer(expert(), smtp), await createMailServer(expert())]
  const ofColleague = await createMailServer(service.asExpert(here.specialist), smtp)
  const left = eventOf({ active: false, revision: 2n })
  await service.publish(userTopic, left)
  await service.publish(userTopic, left)
  expect([await stateOf(sends), await stateOf(receives), await stateOf(ofColleague)]).toEqual(['paused', 'active', 'active'])
  const trail = (await service.published(auditTopic)).flatMap(({ event }) =>
    event.customerId === here.customerId && event.kind === 'mail_server.paused' ? [{ subject: event.subject, actor: event.actor }] : [],
  )
  expect(trail).toEqual([{ subject: `mail_server:${sends}`, actor: '' }])
})

it('a person who is active again resumes them, and an earlier event that is delivered again does not pause them', async () => {
  const id = await createMailServer(expert(), smtp)
  const left = eventOf({ active: false, revision: 2n })
  await service.publish(userTopic, left, eventOf({ active: true, revision: 3n }))
  expect(await stateOf(id)).toBe('paused')
  expect((await expert().post(`/mail_server/${id}/resume`)).status).toBe(200)
  await service.publish(userTopic, left)
  expect(await stateOf(id)).toBe('active')
})
