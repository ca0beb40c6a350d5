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

/** The service with a stand-in for cases-and-counters. */
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

/** Makes `party@client.example` a party to every case. @returns the questions that cases-and-counters is asked */
export function answerQuestions(owner: FakeObjects): AskedParty[] {
  const questions: AskedParty[] = []
  owner.onQuestion = async () => undefined
  owner.isParty = (question) => {
    questions.push(question)
    return question.address === 'party@client.example'
  }
  return questions
}

/** Links messages to cases as an expert of an office; `of` returns the office, at the time of a call. */
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
    /** Resolves when the jobs have handled all messages that have arrived. */
    settled: () =>
      eventually(async () =>
        expect(
          await service.database.rows(`SELECT FROM kit.job WHERE name IN ('case-link', 'case-check') AND state NOT IN ('done', 'failed')`),
        ).toEqual([]),
      ),
  }
}
