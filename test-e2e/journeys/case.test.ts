import { type EventStream, eventStream } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { caseJourney } from '../support/case-journey.js'
import { type SignedIn, signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let expert: SignedIn
let trainee: SignedIn
let stream: EventStream

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  expert = await signInAs(demo, 'expert')
  trainee = await signInAs(demo, 'trainee')
  stream = await eventStream(`${demo.base_url}/rest/event/stream`, trainee.token)
})
afterAll(async () => {
  await stream?.close()
  await launcher?.stop()
  remove()
})

describe('the way of a case', () => {
  caseJourney(() => ({ expert, trainee, stream, address: demo.base_url }))
})

describe('the offices', () => {
  it('know nothing of each other', async () => {
    const stranger = await signInAs(demo, 'administrator', 1)
    const { body } = await expert.api.post<{ id: number }>('/issue', { Issue: { subject: 'Ours' } })
    const foreign = await stranger.api.get(`/issue/${body.id}`)
    const missing = await stranger.api.get('/issue/9007199254740991')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
  })
})
