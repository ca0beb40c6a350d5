import { afterAll, describe, expect, it } from '@jest/globals'
import { isNewEpoch } from '../src/receiving/remote-folder.js'
import { remoteFolderRepository } from '../src/receiving/remote-folder.repository.js'
import { newMailbox, officeWithMail } from './support/mailbox.js'
import { serviceWithEngine } from './support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

const state = { path: 'INBOX', specialUse: 'inbox', uidValidity: 7n, uidNext: 9n, highestModseq: null, messages: 8 }

describe('a folder that is received for the first time', () => {
  it('begins anew when the server numbers its messages anew before all of them are here', async () => {
    const here = officeWithMail(service)
    const box = await newMailbox(engine, here, here.expert.userId)
    const folders = remoteFolderRepository(engine.db)
    await folders.of(box, state)
    expect(isNewEpoch(await folders.of(box, state), state)).toBe(false)
    const anew = { ...state, uidValidity: 8n }
    expect(isNewEpoch(await folders.of(box, anew), anew)).toBe(true)
  })
})
