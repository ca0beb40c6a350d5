import { eventually, type HttpClient, httpClient } from '@caseway/testing'
import { png } from '@caseway/testing/images'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { run } from '../../deploy/caseway/src/run.js'
import type { Demo } from '../../deploy/local/src/demo/demo-file.js'
import { signInAs } from '../support/people.js'
import { type Launcher, launch, temporaryHome } from '../support/platform.js'

const { home, remove } = temporaryHome()
let launcher: Launcher
let demo: Demo
let administrator: HttpClient
let expert: HttpClient
let everybody: HttpClient

beforeAll(async () => {
  launcher = launch(home)
  demo = await launcher.ready()
  administrator = (await signInAs(demo, 'administrator')).api
  expert = (await signInAs(demo, 'expert')).api
  everybody = httpClient(demo.client_base_url)
})
afterAll(async () => {
  await launcher?.stop()
  remove()
})

type Card = Record<string, string | number | null>

const own = async () => (await expert.get<{ CompanyCard: Card }>('/company_card')).body.CompanyCard

/** Runs a command, and returns its JSON output. */
async function command(...argv: string[]) {
  const output: string[] = []
  const io = { env: { CASEWAY_HOME: home }, out: (text: string) => void output.push(text), err: (text: string) => void output.push(text) }
  const code = await run(['card', ...argv, '--json'], io)
  if (code !== 0) throw new Error(output.join('\n'))
  return JSON.parse(output.join('\n'))
}

describe('the way of a company card', () => {
  let id: number

  it('it begins with the profile of the office', async () => {
    const address = { street: 'Piotrkowska 1', zip: '90-001', city: 'Łódź', voivodeship: '5', phone: '+48 42 000 00 00' }
    expect((await administrator.put('/customer/me', { Customer: address })).status).toBe(200)
    await eventually(async () => expect(await own()).toMatchObject({ ...address, voivodeship: 5, id: null, city_slug: 'lodz' }))
    const { name, street, zip, city, voivodeship, phone } = await own()
    const { status, body } = await expert.post<{ id: number }>('/company_card', {
      CompanyCard: { name, street, zip, city, voivodeship, phone, opening_hours: '{"1": [[540, 1020]]}' },
    })
    expect(status).toBe(201)
    id = body.id
  })

  it('it gets a logo from the files of the office', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png)]), 'logo.png')
    const { body } = await expert.post<{ id: number }>('/common_file', form)
    const sent = { CompanyCard: { common_file_id: String(body.id) } }
    await eventually(async () => expect((await expert.put(`/company_card/${id}/logo`, sent)).status).toBe(200))
    await expert.delete(`/common_file/${body.id}`)
    expect(await own()).toMatchObject({ logo_filename: 'logo.png', status: 0 })
  })

  it('it is public once the operator has approved it, and not before', async () => {
    const path = `/company_cards/${(await own()).hash}`
    expect((await expert.put(`/company_card/${id}/submit`, undefined)).status).toBe(200)
    expect((await everybody.get(path)).status).toBe(404)
    const { cards } = await command('list')
    const [{ version }] = cards.filter((card: Card) => card.id === String(id))
    await command('approve', '--card', String(id), '--version', String(version))
    const { status, headers, body } = await everybody.get<{ CompanyCard: Card }>(path)
    expect([status, body.CompanyCard]).toMatchObject([200, { name: (await own()).name, city_slug: 'lodz', logo_filename: 'logo.png' }])
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    const logo = await fetch(`${demo.client_base_url}${path}/logo`)
    expect([logo.headers.get('content-type'), Buffer.from(await logo.arrayBuffer()).equals(png)]).toEqual(['image/png', true])
    const { body: business } = await everybody.get<{ logo: string }>(path, { accept: 'application/ld+json' })
    expect(business).toMatchObject({ '@type': 'LocalBusiness', logo: `${demo.client_base_url}${path}/logo` })
  })

  it('a change of it waits, while what was approved stays public', async () => {
    const path = `/company_cards/${(await own()).hash}`
    expect((await expert.put(`/company_card/${id}`, { CompanyCard: { name: 'Changed' } })).status).toBe(200)
    expect(await own()).toMatchObject({ name: 'Changed', status: 1, is_verified: 1 })
    expect((await everybody.get<{ CompanyCard: Card }>(path)).body.CompanyCard.name).not.toBe('Changed')
  })
})
