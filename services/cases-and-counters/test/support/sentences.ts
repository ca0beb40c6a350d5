import type { HttpClient, Person } from '@caseway/testing'
import { type Cases, openIssue } from './cases.js'

export interface Sentence {
  id: string
  status: string
  body: string
  [field: string]: string | null
}

export const write = (http: HttpClient, issue: number, more: object = {}) =>
  http.post<{ id: number }>('/issue_sentence', { IssueSentence: { issue_id: String(issue), body: 'Dear client', ...more } })

export const put = (http: HttpClient, id: number, sent: object) => http.put(`/issue_sentence/${id}`, { IssueSentence: sent })

export const get = async (http: HttpClient, id: number) =>
  (await http.get<{ IssueSentence: Sentence }>(`/issue_sentence/${id}`)).body.IssueSentence

export const issueOf = async (http: HttpClient, id: number) =>
  (await http.get<{ Issue: Record<string, string | null> }>(`/issue/${id}`)).body.Issue

/** Helpers for replies of a trainee and the notifications about them. */
export const repliesOf = (cases: () => Cases) => ({
  /** Creates a case of the specialist, with a reply of the trainee. */
  async withReply(status = 'sent') {
    const office = cases().office()
    const [expert, specialist, trainee] = [office.expert, office.specialist, office.trainee].map((person) => cases().asExpert(person)) as [
      HttpClient,
      HttpClient,
      HttpClient,
    ]
    const issue = await openIssue(expert, { user_id: String(office.specialist.userId) })
    const { id } = (await write(trainee, issue, { status })).body
    return { office, expert, specialist, trainee, issue, id }
  },

  /** The types of a person's notifications, except those about cases. */
  async typesOf(person: Person<unknown>): Promise<string[]> {
    const { body } = await cases().asExpert(person).get<{ Notification: { type: string } }[]>('/notification?sort=id')
    return body.map(({ Notification }) => Notification.type).filter((type) => !type.startsWith('issue_'))
  },
})
