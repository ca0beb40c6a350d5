import { userTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { user } from '@caseway/testing/fake-auth'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Started, startPeople } from './support/people.js'

let people: Started
beforeAll(async () => {
  people = await startPeople()
})
afterAll(() => people.stop())

const office = { customerId: randomId() }

describe('a user of an office', () => {
  it('is found in the copy, without a call', async () => {
    const employee = user({ id: randomId(), ...office })
    await people.publish(userTopic, employee)
    const before = people.auth.questions
    expect(await people.users.missing(office, { user_id: employee.id })).toEqual([])
    expect(people.auth.questions).toBe(before)
  })

  it('is looked up at auth if the copy does not have it', async () => {
    const newcomer = user({ id: randomId(), ...office })
    people.auth.users.push(newcomer)
    const before = people.auth.questions
    expect(await people.users.missing(office, { user_id: newcomer.id })).toEqual([])
    expect(people.auth.questions).toBe(before + 1)
  })

  it('is not someone who has left, who works elsewhere, or is unknown to auth', async () => {
    const left = user({ id: randomId(), ...office, active: false })
    const elsewhere = user({ id: randomId(), customerId: randomId() })
    people.auth.users.push(left, elsewhere)
    await people.publish(userTopic, left, elsewhere)
    const ids = { left: left.id, elsewhere: elsewhere.id, unknown: randomId() }
    expect(await people.users.missing(office, ids)).toEqual(['left', 'elsewhere', 'unknown'])
  })

  it('is reported as inactive by the newest event, when they have left', async () => {
    const [back, gone] = [user({ id: randomId(), ...office }), user({ id: randomId(), ...office })]
    await people.publish(
      userTopic,
      { ...back, revision: 3n },
      gone,
      { ...back, active: false, revision: 2n },
      { ...gone, active: false, revision: 2n },
    )
    await people.publish(userTopic, gone)
    expect(people.inactiveUsers).toContain(gone.id)
    expect(people.inactiveUsers).not.toContain(back.id)
  })

  it('is not checked for an empty field', async () => {
    const before = people.auth.questions
    expect(await people.users.missing(office, { user_id: null, delegated_user_id: undefined })).toEqual([])
    expect(people.auth.questions).toBe(before)
  })

  it('must exist, or the error names each field whose user does not', async () => {
    const employee = user({ id: randomId(), ...office })
    await people.publish(userTopic, employee)
    await people.users.mustExist(office, { user_id: employee.id })
    const refused = people.users.mustExist(office, { user_id: randomId(), delegated_user_id: randomId(), delegated_by: employee.id })
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      fields: { user_id: 'does not exist', delegated_user_id: 'does not exist' },
    })
  })

  it('is unavailable while auth is down, except for people in the copy', async () => {
    const employee = user({ id: randomId(), ...office })
    await people.publish(userTopic, employee)
    await people.auth.stop()
    await people.users.mustExist(office, { user_id: employee.id })
    await expect(people.users.mustExist(office, { user_id: randomId() })).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
