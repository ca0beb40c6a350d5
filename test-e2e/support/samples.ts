import { randomUUID } from 'node:crypto'
import type { HttpAnswer, HttpClient } from '@caseway/testing'
import type { TestPlatform } from '@caseway/testing/accounting-platform'
import { operations, wrappedBody } from './openapi.js'

/** The required fields of a new record, without the wrapper; or a form. */
type Sample = (records: Records) => object | Promise<object>

/** Samples by path. A resource whose required fields are texts needs none. */
export type Samples = Readonly<Record<string, Sample>>

/** Functions that find a record of a resource without a POST. */
type Finders = Readonly<Record<string, (records: Records) => Promise<string>>>

/** Access to the records of one person. */
export interface Records {
  /** The client with which they are created. */
  readonly api: HttpClient
  /** The body of a POST to `path` that creates another record. */
  body(path: string): Promise<object>
  /** Creates another record, and returns its id. */
  create(path: string): Promise<string>
  /** The id of a record, the same one at each call. */
  one(path: string): Promise<string>
}

/** The id of a created record, from `location`: in the header, or in the body of a 300. */
export function createdId({ status, headers, body }: HttpAnswer<unknown>): string | undefined {
  const location = status === 300 ? (body as { location: string }).location : headers.get('location')
  return [201, 300].includes(status) ? location?.split('/').at(-1) : undefined
}

export async function recordsOf(api: HttpClient, samples: Samples, finders: Finders = {}): Promise<Records> {
  const documented = await operations(api)
  const bodies = new Map(
    documented.flatMap(({ method, path, operation }) => {
      const wrapped = method === 'POST' ? wrappedBody(operation) : undefined
      return wrapped ? [[path, wrapped] as const] : []
    }),
  )
  const kept = new Map<string, Promise<string>>()

  const records: Records = {
    api,
    async body(path) {
      const sample = await samples[path]?.(records)
      if (sample instanceof FormData) return sample
      const { wrapper, required } = bodies.get(path) ?? missing(path, 'has no POST with a body')
      const texts = Object.fromEntries(required.map((field) => [field, 'Sample']))
      return { [wrapper]: { ...texts, ...sample } }
    },
    async create(path) {
      const answer = await api.post(path, await records.body(path))
      return createdId(answer) ?? missing(path, `was refused: ${answer.status} ${answer.text}`)
    },
    one(path) {
      const known = kept.get(path) ?? finders[path]?.(records) ?? records.create(path)
      kept.set(path, known)
      return known
    },
  }
  return records
}

function missing(path: string, why: string): never {
  throw new Error(`test-e2e/support/samples.ts needs a sample for POST ${path}, which ${why}`)
}

/** Work times of a person that do not overlap. */
function intervals(): Sample {
  let minute = Date.UTC(2024, 0, 1) / 60_000
  const next = () => new Date(minute++ * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  return () => ({ started: next(), ended: next() })
}

const form = (fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob(['Sample']), 'sample.txt')
  return form
}

const email = () => `${randomUUID()}@sample.example`
const person = { first_name: 'A', last_name: 'B' }
const names = { firstname: 'A', lastname: 'B' }

/** An authorization code of an account with `count` companies, which no office has chosen yet. */
export async function codeOf(platform: TestPlatform, count: number): Promise<string> {
  const companies = Array.from({ length: count }, () => ({ company_id: randomUUID(), name: 'Sample', active: true, flat_rate: false }))
  return (await platform.agree(await platform.account({ companies }))).code
}

interface Office {
  /** The user id of a colleague. */
  readonly trainee: string
  /** The id of a client of the office. */
  readonly client: string
  readonly platform: TestPlatform
}

/** The samples for an administrator or an expert. */
export const officeSamples = ({ trainee, client, platform }: Office): Samples => ({
  '/chat_widget': () => ({ url: 'https://sample.example' }),
  '/client': () => ({ ...names, email: email() }),
  '/common_file': () => form(),
  '/common_file_object': async ({ one, create }) => ({
    ...{ common_file_id: await create('/common_file'), object_name: 'Issue', object_id: await one('/issue') },
  }),
  '/comment': async ({ one }) => ({ issue_id: await one('/issue') }),
  '/customer_user_link/client': () => ({ email: email() }),
  '/group/user_group': async ({ create }) => ({ user_id: trainee, group_id: await create('/group') }),
  '/issue': () => ({ user_client_id: client }),
  '/issue_initiator': () => person,
  '/issue_payment_offer': async ({ one }) => ({ issue_id: await one('/issue'), amount: '1.00' }),
  '/issue_sentence': async ({ one }) => ({ issue_id: await one('/issue'), status: 'draft' }),
  '/issue_subject_label': async ({ create }) => ({ issue_subject_id: await create('/issue_subject') }),
  '/issue_tag': async ({ one, create }) => ({ issue_id: await one('/issue'), tag_id: await create('/tag') }),
  '/mail_command': async ({ create }) => ({ command_id: 3, mail_server_id: await create('/mail_server') }),
  // A sending server, because the receiving engine would write to the record.
  '/mail_server': () => ({
    ...{ user_email: email(), user_login: 'sample', user_password: 'sample' },
    ...{ server_protocol: 1, server_address: 'smtp.sample.example', server_port: 465 },
  }),
  '/mail_folder_setting': () => ({ order: '[]' }),
  '/mail_folder_rule': async ({ create }) => ({
    mail_folder_id: await create('/mail_folder'),
    conditions: [{ field: 'subject', operator: 'contains', value: 'Sample' }],
  }),
  '/mail_template': () => ({ mail_body: '<p>Dear {{client.firstname}}</p>' }),
  // A draft, because a sent message cannot be changed.
  '/mail_sent_mysql_message': async ({ one }) => ({ mail_server_id: await one('/mail_server'), mail_to_address: [email()], status: 4 }),
  '/partner_oauth2': async () => ({ auth_code: await codeOf(platform, 2) }),
  '/poll': () => ({ blocks: [{ type: 'shortQuestion', data: { title: 'Sample' } }] }),
  '/provider_person': async ({ one }) => ({ ...person, provider_id: await one('/provider'), email: email() }),
  '/user': () => ({ ...names, email: email() }),
  // Inactive, so that it receives nothing.
  '/webhook': () => ({ url: 'https://sample.example', events: ['*'], active: 0 }),
  '/work_time': intervals(),
  async '/work_time/start'({ api }) {
    await api.post('/work_time/stop')
    return {}
  },
})

interface OwnLinks {
  results: { CustomerUserLink: { id: string; customer_id: string } }[]
}

/** Ends the link of a client with an office. */
async function leave(api: HttpClient, office: string): Promise<void> {
  const { body } = await api.get<OwnLinks>('/customer_user_link')
  const link = body.results.find(({ CustomerUserLink }) => CustomerUserLink.customer_id === office)
  if (link) await api.delete(`/customer_user_link/${link.CustomerUserLink.id}`)
}

/** The samples for a client of the office `mine` who asks `another` office for a link. */
export const clientSamples = (mine: string, another: string): Samples => ({
  async '/customer_user_link'({ api }) {
    await leave(api, another)
    return { customer_id: another }
  },
  '/common_file': () => form({ customer_id: mine }),
  '/common_file_object': async ({ create, one }) => ({
    ...{ common_file_id: await create('/common_file'), object_name: 'IssueSentence', object_id: await one('/issue_sentence') },
  }),
  '/issue': () => ({ customer_id: mine }),
  '/issue_payment_offer': async ({ one }) => ({ issue_id: await one('/issue'), amount: '1.00' }),
  '/issue_sentence': async ({ one }) => ({ issue_id: await one('/issue') }),
})
