import type { Id } from '@caseway/kit/caller'
import { grpcAddressVariable } from '@caseway/registry'
import { type EventStream, eventStream, type HttpClient, type Person } from '@caseway/testing'
import { type FakeFiles, fakeFiles } from '@caseway/testing/fake-files'
import { type TestService, type TestServiceOptions, testService } from '@caseway/testing/service'
import { casesAndCounters } from '../../src/wiring.js'
import { type FakeMail, fakeMail } from './fake-mail.js'

export { clientUrl, expertUrl } from '@caseway/testing'

type Administration = Awaited<ReturnType<typeof casesAndCounters.start>>['administration']

/** The running service, and helpers to use it. */
export interface Cases extends TestService<Administration> {
  /** The fake of the files service. */
  readonly files: FakeFiles
  /** The fake of the mail service. */
  readonly mail: FakeMail
  stream(person: Person<unknown>, address: 'expert' | 'client', options?: { lastEventId?: string; query?: string }): Promise<EventStream>
  /** Repairs the counters of an office, and returns the sum of the differences. */
  recount(customerId: Id): Promise<number>
}

export async function startCases(options: TestServiceOptions = {}): Promise<Cases> {
  const [files, mail] = await Promise.all([fakeFiles(), fakeMail()])
  const variables = { [grpcAddressVariable('files')]: files.address, [grpcAddressVariable('mail')]: mail.address, ...options.variables }
  const running = await testService(casesAndCounters, { ...options, variables })
  const { httpUrl, administration } = running.service
  return {
    ...{ ...running, files, mail },
    async stop() {
      await running.stop()
      await Promise.all([files.stop(), mail.stop()])
    },
    stream: ({ token }, address, { query = '', ...options } = {}) =>
      eventStream(`${httpUrl}/${address}/rest/event/stream${query}`, token, options),
    async recount(customerId) {
      const missing = await administration.counters.recount(customerId, { repair: true })
      return missing.reduce((sum, { value }) => sum + Math.abs(value), 0)
    },
  }
}

/** Opens a case, and returns its id. */
export async function openIssue(http: HttpClient, fields: Record<string, unknown> = {}): Promise<number> {
  const { body } = await http.post<{ id: number }>('/issue', { Issue: { subject: 'A question', ...fields } })
  return body.id
}
