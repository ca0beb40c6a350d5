import type { Id } from '@caseway/kit/caller'
import type { IsPartyRequest } from '@caseway/protos/cases_and_counters/v1/contacts'
import { grpcAddressVariable } from '@caseway/registry'
import { eventually, type TestTenant } from '@caseway/testing'
import { type FakeObjects, fakeObjects, object } from '@caseway/testing/fake-objects'
import { expect } from '@jest/globals'
import { type ServiceWithEngine, serviceWithEngine } from './service-with-engine.js'

export const path = '/mail_received_mysql_message'

export interface ServiceWithCases extends ServiceWithEngine {
  readonly owner: FakeObjects
}

/** The service beside a stand-in for the owner of the cases. */
export async function serviceWithCases(): Promise<ServiceWithCases> {
  const owner = await fakeObjects()
  const { stop, ...there } = await serviceWithEngine({ [grpcAddressVariable('cases-and-counters')]: owner.address })
  return {
    ...{ ...there, owner },
    async stop() {
      await stop()
      await owner.stop()
    },
  }
}

export type AskedParty = Pick<IsPartyRequest, 'customerId' | 'issueId' | 'address' | 'clientId'>

/** From now on `party@client.example` is a party of every case. @returns what the owner of the cases is asked for */
export function answerQuestions(owner: FakeObjects): AskedParty[] {
  const asked: AskedParty[] = []
  owner.onQuestion = async () => undefined
  owner.isParty = (question) => {
    asked.push(question)
    return question.address === 'party@client.example'
  }
  return asked
}

/** The cases of an office, as its expert puts messages into them; `of` says which office, at the time of a call. */
export function linkedCases({ service, owner }: ServiceWithCases, of: () => TestTenant) {
  const expert = () => service.asExpert(of().expert)
  return {
    expert,
    newCase(customerId = of().customerId) {
      const issue = object({ customerId })
      owner.objects.push(issue)
      return issue.id
    },
    put: (id: Id, issue_id: unknown, http = expert()) =>
      http.put(`${path}/${id}`, { MailReceivedMysqlMessage: { issue_id: issue_id === null ? null : String(issue_id) } }),
    caseOf: async (id: Id) =>
      (await expert().get<{ MailReceivedMysqlMessage: { issue_id: string | null } }>(`${path}/${id}`)).body.MailReceivedMysqlMessage
        .issue_id,
    /** When the jobs have looked at all that has arrived. */
    settled: () =>
      eventually(async () =>
        expect(
          await service.database.rows(`SELECT FROM kit.job WHERE name IN ('case-link', 'case-check') AND state NOT IN ('done', 'failed')`),
        ).toEqual([]),
      ),
  }
}
