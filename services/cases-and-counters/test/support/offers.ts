import type { HttpClient } from '@caseway/testing'
import { type Cases, openIssue } from './cases.js'

type Offer = Record<string, string | number | null>

export const terms = { name: 'Basic', work_time: 5, man_hours: 8, hourly_rate: 150, description: 'By hand', amount: '1200.50' }
export const read = async (http: HttpClient, id: number) =>
  (await http.get<{ IssuePaymentOffer: Offer }>(`/issue_payment_offer/${id}`)).body.IssuePaymentOffer
export const post = (http: HttpClient, fields: object) => http.post<{ id: number }>('/issue_payment_offer', { IssuePaymentOffer: fields })
export const put = (http: HttpClient, id: number, fields: object, headers = {}) =>
  http.put(`/issue_payment_offer/${id}`, { IssuePaymentOffer: fields }, headers)

/** Helpers for offers of an expert to a client. */
export const offersOf = (cases: () => Cases) => ({
  /** Creates a case of a client, with an owner and a delegate. */
  async offered() {
    const office = cases().office()
    const person = cases().client(office)
    const [expert, client] = [cases().asExpert(office.expert), cases().asClient(person)]
    const issueId = await openIssue(expert, { user_client_id: String(person.userId), user_id: String(office.expert.userId) })
    const offer = async (fields: object = {}) => (await post(expert, { issue_id: issueId, ...terms, ...fields })).body.id
    return { office, person, expert, client, issueId, offer }
  },
})
