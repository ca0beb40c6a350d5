import { LinkState } from '@caseway/protos/auth/v1/events'
import { AnswerEvent } from '@caseway/protos/polls_and_widgets/v1/events'
import { answerTopic, contactTopic, customerTopic, linkTopic, userTopic } from '@caseway/protos/topics'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, randomId, type TestTenant } from '@caseway/testing'
import { customer, link, user } from '@caseway/testing/fake-auth'
import { type FakeObjects, fakeObjects, providerPerson } from '@caseway/testing/fake-objects'
import { type TestService, testService } from '@caseway/testing/service'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { isPublicMailDomain } from '../../src/senders/public-mail-domains.client.js'
import { senderCopyRepository } from '../../src/senders/sender-copy.repository.js'
import { mail } from '../../src/wiring.js'
import { announced, newMailbox, type Receiver, receiver, type TestMailbox } from '../support/mailbox.js'

const earlier = { client: randomId(), office: randomId(), employee: randomId() }

let owner: FakeObjects
let service: TestService
let engine: Receiver
beforeAll(async () => {
  owner = await fakeObjects()
  owner.contacts.push(providerPerson({ customerId: earlier.office, email: 'Earlier@supplier.example' }))
  service = await testService(mail, {
    variables: { [grpcAddressVariable('cases-and-counters')]: owner.address },
    prepare(auth) {
      auth.links.push(link({ customerId: earlier.office, clientId: earlier.client, email: 'Earlier@client.example' }))
      auth.customers.push(customer({ id: earlier.office, email: 'office@earlier-office.example' }))
      auth.users.push(user({ id: earlier.employee, customerId: earlier.office, email: 'Earlier@office.example' }))
    },
  })
  engine = receiver(service.database)
})
afterAll(async () => {
  await engine.db.close()
  await service.stop()
  await owner.stop()
})

let here: TestTenant
let box: TestMailbox
beforeEach(async () => {
  here = service.office()
  box = await newMailbox(engine, here, here.expert.userId)
})

const folderOf = async (address: string, mailbox = box) => {
  const [decision] = await engine.intake.decide(mailbox, [announced(mailbox, { from: { address, name: '' } })])
  return decision?.kind === 'store' ? decision.folder.system : null
}

describe('clients', () => {
  const client = (fields: object) => link({ id: 5n, customerId: here.customerId, clientId: 6n, email: 'Ada@client.example', ...fields })

  it('are known while they are linked, whatever order events come in, and twice', async () => {
    const [linked, banned, back] = [client({ revision: 1n }), client({ banned: true, revision: 2n }), client({ revision: 3n })]
    await service.publish(linkTopic, linked, linked)
    expect(await folderOf('ada@client.example')).toBe('CLIENTS')
    await service.publish(linkTopic, banned, linked, banned)
    expect(await folderOf('ada@client.example')).toBe('OTHERS')
    await service.publish(linkTopic, back, banned, back)
    expect(await folderOf('ADA@client.example')).toBe('CLIENTS')
    for (const [state, revision] of [
      [LinkState.ENDED, 4n],
      [LinkState.INVITED, 5n],
    ] as const) {
      await service.publish(linkTopic, client({ state, revision }))
      expect(await folderOf('ada@client.example')).toBe('OTHERS')
    }
  })

  it('are not known by a former address', async () => {
    await service.publish(linkTopic, client({ revision: 1n }), client({ email: 'new@client.example', revision: 2n }))
    expect([await folderOf('ada@client.example'), await folderOf('new@client.example')]).toEqual(['OTHERS', 'CLIENTS'])
  })

  it('are known to their own office alone', async () => {
    await service.publish(linkTopic, client({ id: randomId() }))
    const there = service.office()
    expect(await folderOf('ada@client.example', await newMailbox(engine, there, there.expert.userId))).toBe('OTHERS')
  })
})

describe('persons of providers', () => {
  const person = (fields: object) => providerPerson({ id: 5n, customerId: here.customerId, email: 'Ann@supplier.example', ...fields })
  const gone = { firstName: '', lastName: '', email: '', providerId: 0n, deleted: true }

  it('are known while the office has them, by their present address, whatever order events come in, and twice', async () => {
    const [first, moved, deleted] = [
      person({ revision: 1n }),
      person({ email: 'new@supplier.example', revision: 2n }),
      person({ ...gone, revision: 3n }),
    ]
    await service.publish(contactTopic, first, first)
    expect(await folderOf('ann@SUPPLIER.example')).toBe('PROVIDERS')
    await service.publish(contactTopic, moved, first, moved)
    expect([await folderOf('ann@supplier.example'), await folderOf('new@supplier.example')]).toEqual(['OTHERS', 'PROVIDERS'])
    await service.publish(contactTopic, deleted, moved, deleted)
    expect(await folderOf('new@supplier.example')).toBe('OTHERS')
  })

  it('are known to their own office alone', async () => {
    await service.publish(contactTopic, person({ id: randomId() }))
    const there = service.office()
    expect(await folderOf('ann@supplier.example', await newMailbox(engine, there, there.expert.userId))).toBe('OTHERS')
  })

  it('come after clients, and before colleagues and leads', async () => {
    const email = `one${here.customerId}@supplier.example`
    await service.publish(answerTopic, AnswerEvent.fromPartial({ id: randomId(), customerId: here.customerId, respondent: { email } }))
    await service.publish(userTopic, user({ id: here.expert.userId, customerId: here.customerId, email, revision: 9n }))
    expect(await folderOf(email)).toBe('OFFICES')
    await service.publish(contactTopic, person({ email }))
    expect(await folderOf(email)).toBe('PROVIDERS')
    await service.publish(linkTopic, link({ id: 5n, customerId: here.customerId, clientId: 6n, email }))
    expect(await folderOf(email)).toBe('CLIENTS')
  })

  it('are not known after their deletion, whatever else the event contains', async () => {
    await service.publish(contactTopic, person({ revision: 1n }), person({ deleted: true, revision: 2n }))
    expect(await folderOf('ann@supplier.example')).toBe('OTHERS')
  })

  it('of another kind are ignored', async () => {
    await service.publish(contactTopic, person({ kind: 7 }))
    expect(await folderOf('ann@supplier.example')).toBe('OTHERS')
  })

  it('are copied again without clients being forgotten', async () => {
    const [client, known] = [
      link({ id: 5n, customerId: here.customerId, clientId: 6n, email: 'ada@client.example', revision: 4n }),
      person({ revision: 4n }),
    ]
    await service.publish(linkTopic, client)
    await service.publish(contactTopic, known)
    const directory = senderCopyRepository(engine.db, isPublicMailDomain)
    await directory.forgetProviderPersons()
    await service.publish(linkTopic, { ...client, banned: true, revision: 3n })
    await service.publish(contactTopic, person({ email: 'old@supplier.example', revision: 3n }))
    expect([await folderOf('ada@client.example'), await folderOf('old@supplier.example')]).toEqual(['CLIENTS', 'PROVIDERS'])
    await directory.forgetClients()
    await service.publish(contactTopic, person({ email: 'older@supplier.example', revision: 2n }))
    await service.publish(linkTopic, { ...client, banned: true, revision: 3n })
    expect([await folderOf('ada@client.example'), await folderOf('old@supplier.example')]).toEqual(['OTHERS', 'PROVIDERS'])
  })
})

describe('employees', () => {
  it('of any office are known while they are active, whatever order events come in, and twice', async () => {
    const there = service.office()
    const of = (fields: object) =>
      user({ id: there.expert.userId, customerId: there.customerId, email: `X${there.customerId}@Other.example`, ...fields })
    const [active, gone] = [of({ revision: 1n }), of({ active: false, revision: 2n })]
    await service.publish(userTopic, active, active)
    expect(await folderOf(`x${there.customerId}@other.example`)).toBe('OFFICES')
    await service.publish(userTopic, gone, active, gone)
    expect(await folderOf(`x${there.customerId}@other.example`)).toBe('OTHERS')
  })

  it('are kept as hashes', async () => {
    await service.publish(userTopic, user({ id: here.expert.userId, customerId: here.customerId, email: 'plain@office.example' }))
    const rows = await service.database.rows('SELECT * FROM employee_addresses')
    expect(JSON.stringify(rows)).not.toContain('plain')
  })
})

describe('the domain of an office', () => {
  const of = ({ customerId: id }: TestTenant, email: string, revision = 1n) => customer({ id, email, revision })
  const domain = () => `d${here.customerId}.example`

  it('is known to every office by its present address, whatever order events come in, and twice', async () => {
    const there = service.office()
    const [first, moved] = [of(there, `Office@D${there.customerId}.example`), of(there, `office@moved-${there.customerId}.example`, 2n)]
    await service.publish(customerTopic, first, first)
    expect(await folderOf(`Anybody@d${there.customerId}.EXAMPLE`)).toBe('OFFICES')
    expect(await folderOf(`anybody@sub.d${there.customerId}.example`)).toBe('OTHERS')
    await service.publish(customerTopic, moved, first, moved)
    const domains = [`d${there.customerId}.example`, `moved-${there.customerId}.example`]
    expect(await Promise.all(domains.map((each) => folderOf(`anybody@${each}`)))).toEqual(['OTHERS', 'OFFICES'])
  })

  it('is empty with a public mail provider, and without an address', async () => {
    await service.publish(customerTopic, of(here, 'office@gmail.com'), of(service.office(), ''))
    expect([await folderOf('anybody@gmail.com'), await folderOf('nobody')]).toEqual(['OTHERS', 'OTHERS'])
  })

  it('comes after clients and providers, and before leads', async () => {
    const email = `one@${domain()}`
    await service.publish(answerTopic, AnswerEvent.fromPartial({ id: randomId(), customerId: here.customerId, respondent: { email } }))
    expect(await folderOf(email)).toBe('LEADS')
    await service.publish(customerTopic, of(here, `office@${domain()}`))
    expect(await folderOf(email)).toBe('OFFICES')
    await service.publish(contactTopic, providerPerson({ id: randomId(), customerId: here.customerId, email }))
    expect(await folderOf(email)).toBe('PROVIDERS')
    await service.publish(linkTopic, link({ id: randomId(), customerId: here.customerId, clientId: 6n, email }))
    expect(await folderOf(email)).toBe('CLIENTS')
  })
})

describe('respondents', () => {
  it('are leads of the office whose poll they have answered, however often the event is delivered', async () => {
    const answer = AnswerEvent.fromPartial({ id: randomId(), customerId: here.customerId, respondent: { email: 'Lead@shop.example' } })
    await service.publish(answerTopic, answer, answer)
    expect(await folderOf('lead@shop.example')).toBe('LEADS')
    await service.publish(answerTopic, AnswerEvent.fromPartial({ id: randomId(), customerId: here.customerId }))
    const rows = await service.database.rows('SELECT address FROM senders WHERE customer_id = $1', [here.customerId])
    expect(rows).toEqual([{ address: 'lead@shop.example' }])
  })
})

it('senders from before the first start are known', async () => {
  const mailbox = await newMailbox(engine, { customerId: earlier.office }, earlier.employee)
  await eventually(async () => {
    const folders = ['client', 'office', 'supplier', 'earlier-office'].map((who) => folderOf(`earlier@${who}.example`, mailbox))
    expect(await Promise.all(folders)).toEqual(['CLIENTS', 'OFFICES', 'PROVIDERS', 'OFFICES'])
  })
})

it('senders that their owner has lost are not known after a resync', async () => {
  const { customerId } = here
  await service.publish(linkTopic, link({ id: 5n, customerId, clientId: 6n, email: 'ada@client.example' }))
  await service.publish(contactTopic, providerPerson({ customerId, email: 'ann@supplier.example' }))
  const directory = senderCopyRepository(engine.db, isPublicMailDomain)
  const folders = async () => [await folderOf('ada@client.example'), await folderOf('ann@supplier.example')]
  await directory.forgetClients()
  await directory.endProviderPersons()
  expect(await folders()).toEqual(['CLIENTS', 'PROVIDERS'])
  await directory.endClients()
  expect(await folders()).toEqual(['OTHERS', 'PROVIDERS'])
  await directory.forgetProviderPersons()
  await directory.endProviderPersons()
  expect(await folders()).toEqual(['OTHERS', 'OTHERS'])
})
