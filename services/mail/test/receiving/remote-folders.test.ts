import { afterAll, describe, expect, it } from '@jest/globals'
import { isNewEpoch, type RemoteFolder } from '../../src/receiving/folders/remote-folder.js'
import { remoteFolderRepository } from '../../src/receiving/folders/remote-folder.repository.js'
import { newMailbox, officeWithMail } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, engine, stop } = await serviceWithEngine()
afterAll(stop)

const state = { path: 'INBOX', specialUse: 'inbox', uidValidity: 7n, uidNext: 9n, highestModseq: null, messages: 8 }

describe('a folder that is received for the first time', () => {
  it('begins again when the server renumbers its messages before all are stored', async () => {
    const here = officeWithMail(service)
    const box = await newMailbox(engine, here, here.expert.userId)
    const folders = remoteFolderRepository(engine.db)
    const account = { ...box, serverProtocol: 2, serverAddress: 'imap.example', userLogin: box.address }
    const anew = { ...state, uidValidity: 8n }
    const isNew = async (found: typeof state) => isNewEpoch((await folders.of(box, found)) as RemoteFolder, found)
    expect(await folders.of(box, state)).toBeNull()
    for (const found of [state, anew]) expect(await folders.begin(account, [found])).toBe(true)
    expect([await isNew(state), await isNew(anew)]).toEqual([false, true])
  })
})
