import type { HttpClient, TestTenant } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createMailServer } from '../support/mail-servers.js'
import { officeWithMail } from '../support/mailbox.js'
import { serviceWithEngine } from '../support/service-with-engine.js'

const { service, stop } = await serviceWithEngine()
afterAll(stop)

let here: TestTenant
let http: HttpClient
beforeEach(() => {
  here = officeWithMail(service)
  http = service.asExpert(here.expert)
})

describe.each([
  [2, {}, {}],
  [3, { server_protocol: 1, server_port: 465 }, {}],
  [4, {}, { folder_name: 'OTHERS', fetch_after_date: '2026-01-15' }],
])('command %i', (command_id, server, fields) => {
  const give = (mail_server_id: number) => http.post('/mail_command', { MailCommand: { command_id, mail_server_id, ...fields } })

  it('to a mailbox that is deleted meanwhile is 404', async () => {
    const mailbox = await createMailServer(http, server)
    const deletion = await holdTransaction(service.database, 'DELETE FROM mail_servers WHERE id = $1', [mailbox])
    const given = give(mailbox)
    await untilWaiting(service.database, 1)
    await deletion.commit()
    expect(await given).toMatchObject({ status: 404, body: { errorCode: 'NOT_FOUND' } })
  })

  it('waits for a change of the mailbox before it enqueues a job, as the change does after it has locked the mailbox', async () => {
    const mailbox = await createMailServer(http, server)
    const change = await holdTransaction(service.database, 'SELECT FROM mail_servers WHERE id = $1 FOR UPDATE', [mailbox])
    const given = give(mailbox)
    await untilWaiting(service.database, 1)
    const jobsLocked = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND relation = 'kit.job'::regclass AND mode = 'RowExclusiveLock'`
    expect(await service.database.rows(jobsLocked)).toEqual([])
    await change.commit()
    expect((await given).status).toBe(201)
  })
})
