import { type HttpClient, randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Cases, expertUrl, openIssue, startCases } from '../support/cases.js'

let cases: Cases
beforeAll(async () => {
  cases = await startCases()
})
afterAll(() => cases.stop())

const done = { status: 'OK' }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)

async function newSubject(http: HttpClient, name = 'Taxes'): Promise<number> {
  return (await http.post<{ id: number }>('/issue_subject', { IssueSubject: { name } })).body.id
}

describe('/rest/issue_subject', () => {
  it('is created, shown, listed, changed and deleted', async () => {
    const { customerId, expert } = cases.office()
    const http = cases.asExpert(expert)
    const created = await http.post<{ id: number }>('/issue_subject', { IssueSubject: { name: 'Taxes' } })
    const path = `/issue_subject/${created.body.id}`
    expect(created).toMatchObject({ status: 201, body: { id: expect.any(Number) } })
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest${path}`)
    const record = {
      id: String(created.body.id),
      customer_id: String(customerId),
      name: 'Taxes',
      active: '1',
      created: time,
      modified: time,
    }
    expect((await http.get(path)).body).toEqual({ IssueSubject: record })
    expect((await http.put(path, { IssueSubject: { active: 0 } })).body).toEqual(done)
    await newSubject(http, 'Audit')
    expect((await http.get('/issue_subject?sort=name')).body).toMatchObject([
      { IssueSubject: { name: 'Audit' } },
      { IssueSubject: { name: 'Taxes' } },
    ])
    expect((await http.get('/issue_subject?active=0')).body).toMatchObject([{ IssueSubject: { name: 'Taxes' } }])
    expect((await http.delete(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
  })

  it('requires a name', async () => {
    const http = cases.asExpert(cases.office().expert)
    for (const IssueSubject of [{}, { name: ' ' }]) {
      const { status, body } = await http.post('/issue_subject', { IssueSubject })
      expect({ status, body }).toEqual({ status: 400, body: { status: 'error', errorMessages: { name: 'is required' } } })
    }
  })
})

describe('/rest/issue_subject_label', () => {
  it.each(['IssueSubject', 'IssueSubjectLabel'])('is created under %s, and has the id of its subject', async (wrapper) => {
    const http = cases.asExpert(cases.office().expert)
    const id = await newSubject(http)
    const created = await http.post('/issue_subject_label', { [wrapper]: { issue_subject_id: String(id), label: 'VAT and such' } })
    expect({ status: created.status, body: created.body }).toEqual({ status: 201, body: { id } })
    expect(created.headers.get('location')).toBe(`${expertUrl}/rest/issue_subject_label/${id}`)
    const record = { IssueSubjectLabel: { issue_subject_id: String(id), label: 'VAT and such' } }
    expect((await http.get(`/issue_subject_label/${id}`)).body).toEqual(record)
    expect((await http.get('/issue_subject_label')).body).toEqual([record])
  })

  it('is changed and deleted', async () => {
    const http = cases.asExpert(cases.office().administrator)
    const [id, another] = [await newSubject(http), await newSubject(http)]
    const path = `/issue_subject_label/${id}`
    await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: 'A' } })
    const { headers } = await http.get(path)
    expect((await http.put(path, { IssueSubjectLabel: { label: 'B', issue_subject_id: another } })).body).toEqual(done)
    expect((await http.get(path)).body).toEqual({ IssueSubjectLabel: { issue_subject_id: String(id), label: 'B' } })
    expect((await http.delete(path, { 'if-match': headers.get('etag') ?? '' })).status).toBe(412)
    expect((await http.delete(path)).body).toEqual(done)
    expect((await http.get(path)).status).toBe(404)
    expect((await http.get(`/issue_subject/${id}`)).status).toBe(200)
  })

  it('is listed in pages', async () => {
    const http = cases.asExpert(cases.office().expert)
    const ids = [await newSubject(http), await newSubject(http), await newSubject(http)]
    for (const id of ids) await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: `Of ${id}` } })
    const first = await http.get<{ IssueSubjectLabel: object }[]>('/issue_subject_label?limit=2&sort=-issue_subject_id')
    expect(first.body.map(({ IssueSubjectLabel }) => IssueSubjectLabel)).toMatchObject([
      { label: `Of ${ids[2]}` },
      { label: `Of ${ids[1]}` },
    ])
    const next = /<.*\/rest(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect((await http.get(next)).body).toMatchObject([{ IssueSubjectLabel: { label: `Of ${ids[0]}` } }])
  })

  it('is created once for 20 concurrent requests', async () => {
    const http = cases.asExpert(cases.office().expert)
    const id = await newSubject(http)
    const create = () => http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: 'A' } })
    const answers = await Promise.all(Array.from({ length: 20 }, create))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
    expect((await create()).body).toMatchObject({ errorCode: 'ISSUE_SUBJECT_LABEL_EXISTS' })
  })

  it('refuses a subject of another office like one that does not exist', async () => {
    const http = cases.asExpert(cases.office().expert)
    const foreign = await newSubject(cases.asExpert(cases.office().expert))
    const create = (id: unknown) => http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: 'A' } })
    const [theirs, nobodys] = [await create(foreign), await create(String(randomId()))]
    expect(theirs).toMatchObject({ status: 400, body: { errorMessages: { issue_subject_id: 'does not exist' } } })
    expect(nobodys.text).toBe(theirs.text)
    const { body } = await http.post<{ errorMessages: object }>('/issue_subject_label', { IssueSubject: {} })
    expect(body.errorMessages).toEqual({ issue_subject_id: 'is required', label: 'is required' })
    const blank = await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: foreign, label: ' ' } })
    expect(blank.body).toMatchObject({ errorMessages: { issue_subject_id: 'does not exist', label: 'is required' } })
  })

  it('is deleted with its subject', async () => {
    const http = cases.asExpert(cases.office().expert)
    const id = await newSubject(http)
    await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: 'A' } })
    expect((await http.delete(`/issue_subject/${id}`)).status).toBe(200)
    expect((await http.get('/issue_subject_label')).body).toEqual([])
  })
})

describe('the subject of a case', () => {
  it('cannot be deleted while a case refers to it', async () => {
    const http = cases.asExpert(cases.office().expert)
    const id = await newSubject(http)
    const issue = await openIssue(http, { issue_subject_id: id })
    expect((await http.get(`/issue/${issue}`)).body).toMatchObject({ Issue: { issue_subject_id: String(id) } })
    expect(await http.delete(`/issue_subject/${id}`)).toMatchObject({ status: 409, body: { errorCode: 'ISSUE_SUBJECT_IN_USE' } })
    expect((await http.put(`/issue/${issue}`, { Issue: { issue_subject_id: null } })).status).toBe(200)
    expect((await http.delete(`/issue_subject/${id}`)).status).toBe(200)
  })
})

describe('access by role', () => {
  const subject = { IssueSubject: { name: 'A' } }
  const label = { IssueSubjectLabel: { issue_subject_id: 1, label: 'A' } }

  it.each([
    ['POST', '/issue_subject', subject],
    ['PUT', '/issue_subject/1', subject],
    ['DELETE', '/issue_subject/1', undefined],
    ['POST', '/issue_subject_label', label],
    ['PUT', '/issue_subject_label/1', label],
    ['DELETE', '/issue_subject_label/1', undefined],
  ])('%s %s: administrators and experts', async (method, path, sent) => {
    const office = cases.office()
    for (const person of [office.specialist, office.trainee])
      expect((await cases.asExpert(person).request(method, path, sent)).status).toBe(403)
    expect((await cases.asExpert(office.expert).as(undefined).request(method, path, sent)).status).toBe(401)
    expect((await cases.asClient(cases.client(office)).request(method, path, sent)).status).toBe(404)
  })

  it.each(['/issue_subject', '/issue_subject_label'])('%s is readable for employees of the office only', async (path) => {
    const office = cases.office()
    const http = cases.asExpert(office.expert)
    const id = await newSubject(http)
    await http.post('/issue_subject_label', { IssueSubjectLabel: { issue_subject_id: id, label: 'A' } })
    const ours = cases.asExpert(office.trainee)
    expect((await ours.get<object[]>(path)).body).toHaveLength(1)
    const theirs = cases.asExpert(cases.office().administrator)
    expect((await theirs.get(path)).body).toEqual([])
    for (const [method, sent] of [['GET'], ['PUT', path.endsWith('label') ? label : subject], ['DELETE']] as const) {
      const [foreign, unknown] = [await theirs.request(method, `${path}/${id}`, sent), await theirs.request(method, `${path}/abc`, sent)]
      expect({ status: foreign.status, text: foreign.text }).toEqual({ status: 404, text: unknown.text })
    }
    expect((await http.get<object[]>(path)).body).toHaveLength(1)
  })
})
