import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { ok, says, scriptedClamd } from '../../services/files/test/support/scripted-clamd.js'
import { signInAs } from '../support/people.js'
import { barriersOn, overflowOf } from './support/barriers.js'
import { keepPicture, type Watched } from './support/browser.js'
import { accountOf, openCase, openOffice } from './support/front-page.js'
import { visitedPlatform } from './support/visited-platform.js'

const maxBytes = 30_000_000
const clamd = await scriptedClamd()
afterAll(() => clamd.stop())
const visited = visitedPlatform({
  FILES_CLAMD_ADDRESS: clamd.address,
  FILES_MAX_BYTES: String(maxBytes),
  FILES_QUOTA_BYTES: '50000000',
})

let watched: Watched
let page: Page
beforeEach(async () => {
  clamd.script = ok
  watched = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'expert'))
  page = watched.page
  const subject = `Files ${Date.now()}`
  await openCase(await signInAs(visited.demo, 'expert'), subject)
  await page.locator('.cases li button', { hasText: subject }).click()
  await page.getByRole('heading', { name: 'Files', exact: true }).waitFor()
})
afterEach(async () => {
  await page.context().close()
  expect(watched.problems).toEqual([])
})

const file = (name: string) => page.locator('.files li', { hasText: name })
const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.') }
const attach = (...files: Parameters<Page['setInputFiles']>[1][]) => page.getByLabel('Attach files').setInputFiles(files.flat() as never)

/** A sparse file of zeros. */
async function largeFile(name: string, bytes: number): Promise<string> {
  const path = join(visited.home, name)
  await writeFile(path, '')
  await truncate(path, bytes)
  return path
}

describe('a file of a case', () => {
  it('is uploaded with its progress, scanned while it is shown, and downloaded', async () => {
    clamd.script = () => undefined
    const throttled = await page.context().newCDPSession(page)
    const upload = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3_000_000 }
    await throttled.send('Network.emulateNetworkConditions', upload)
    await attach(await largeFile('balance.bin', 20_000_000))
    const bar = page.getByRole('progressbar', { name: 'Upload of balance.bin' })
    const seen = new Set<number>()
    await eventually(async () => {
      seen.add(await bar.evaluate((element) => (element as unknown as { value: number }).value))
      expect([...seen].filter((value) => value > 0 && value < 1).length).toBeGreaterThan(2)
    })
    expect([...seen]).toEqual([...seen].sort((one, other) => one - other))
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await keepPicture(page, 'files-sending')
    await file('balance.bin').getByText('Is being scanned for viruses').waitFor()
    expect(await file('balance.bin').getByRole('button').count()).toBe(0)
    expect(await barriersOn(page)).toEqual([])
    clamd.script = ok
    for (const socket of clamd.open) socket.destroy()
    await file('balance.bin').getByText('No virus found').waitFor()
    await attach(letter)
    await file('letter.txt').getByText('No virus found').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      file('letter.txt').getByRole('button', { name: 'Download letter.txt' }).click(),
    ])
    expect([download.suggestedFilename(), String(await readFile(await download.path()))]).toEqual(['letter.txt', 'A letter.'])
    expect(await barriersOn(page)).toEqual([])
  })

  it('that is infected is marked, and cannot be downloaded', async () => {
    clamd.script = says('stream: Eicar-Test-Signature FOUND\0')
    await attach(letter)
    await file('letter.txt').getByText('Infected, cannot be downloaded: Eicar-Test-Signature').waitFor()
    expect(await file('letter.txt').getByRole('button').count()).toBe(0)
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await keepPicture(page, 'files-infected')
  })

  it('that was sent with a sentence is shown beside it, and scanned while it is shown', async () => {
    clamd.script = () => undefined
    const { api } = await signInAs(visited.demo, 'administrator')
    const [{ Issue: { id } = { id: '' } } = {}] = (await api.get<{ Issue: { id: string } }[]>('/issue?sort=-id&limit=1')).body
    const sentence = { IssueSentence: { issue_id: id, body: 'The letter.' } }
    const { body: said } = await api.post<{ id: number }>('/issue_sentence', sentence)
    const form = new FormData()
    form.set('file', new Blob(['A letter.']), 'said.txt')
    const { body: sent } = await api.post<{ id: number }>('/common_file', form)
    const link = { common_file_id: sent.id, object_name: 'IssueSentence', object_id: said.id }
    await api.post('/common_file_object', { CommonFileObject: link })
    await eventually(async () => {
      const sentences = (await api.get<{ IssueSentence: object }[]>(`/issue_sentence?issue_id=${id}`)).body
      expect(JSON.stringify(sentences)).toContain('said.txt')
    })
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.locator(`[data-case="${id}"] button`).click()
    await file('said.txt').getByText('Is being scanned for viruses').waitFor()
    clamd.script = ok
    for (const socket of clamd.open) socket.destroy()
    await file('said.txt').getByText('No virus found').waitFor()
    expect([await page.locator('article .files li').count(), await barriersOn(page), await overflowOf(page)]).toEqual([1, [], 0])
  })

  it('that a colleague attaches is shown to whoever has the case open', async () => {
    await page.clock.install()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    const colleague = await signInAs(visited.demo, 'administrator')
    const id = await openCase(colleague, 'Attached by a colleague')
    const read = page.waitForResponse('**/rest/common_file/common_file_object?*')
    await page.locator(`[data-case="${id}"] button`).click()
    await (await read).finished()
    const form = new FormData()
    form.set('file', new Blob(['A letter.']), 'attached.txt')
    const { body: sent } = await colleague.api.post<{ id: number }>('/common_file', form)
    await colleague.api.post('/common_file_object', { CommonFileObject: { common_file_id: sent.id, object_name: 'Issue', object_id: id } })
    await eventually(async () => {
      await page.clock.fastForward('00:15')
      expect(await file('attached.txt').count()).toBe(1)
    })
  })

  it('is downloaded once by a double click', async () => {
    await attach(letter)
    const button = file('letter.txt').getByRole('button', { name: 'Download letter.txt' })
    await button.waitFor()
    let requests = 0
    await page.route('**/rest/common_file/*', async (route) => {
      requests++
      await route.continue()
    })
    await Promise.all([page.waitForEvent('download'), button.dblclick()])
    expect(requests).toBe(1)
  })

  it('is seen by a colleague who opens the case', async () => {
    await attach(letter, { ...letter, name: 'another.txt' })
    for (const name of ['letter.txt', 'another.txt']) await file(name).getByText('No virus found').waitFor()
    const title = await page.locator('#title-case').textContent()
    const other = await openOffice(visited.browser, visited.demo.base_url, accountOf(visited.demo, 'administrator'))
    await other.page.locator('.cases li button', { hasText: title ?? '' }).click()
    for (const name of ['letter.txt', 'another.txt']) await other.page.locator('.files li', { hasText: name }).waitFor()
    await other.page.context().close()
  })
})

describe('a file that cannot be sent', () => {
  it('because it is too large is reported, and can be dismissed', async () => {
    await attach(await largeFile('too-large.bin', maxBytes + 1_000_000))
    await file('too-large.bin').getByText('This is larger than what the installation takes.').waitFor()
    expect([await barriersOn(page), await overflowOf(page)]).toEqual([[], 0])
    await keepPicture(page, 'files-refused')
    await file('too-large.bin').getByRole('button', { name: 'Cancel too-large.bin' }).click()
    await eventually(async () => expect(await file('too-large.bin').count()).toBe(0))
  })

  it('because the quota is exhausted is reported', async () => {
    await attach(await largeFile('first.bin', 25_000_000))
    await file('first.bin').getByText('No virus found').waitFor()
    await attach(await largeFile('second.bin', 29_000_000))
    await file('second.bin').getByText('The storage quota of the office is exhausted.').waitFor()
  })

  it('because the connection is lost can be retried, and is stored once', async () => {
    await page.context().setOffline(true)
    await attach(letter)
    await file('letter.txt').getByText('Caseway cannot be reached. Check your connection and try again.').waitFor()
    expect(await barriersOn(page)).toEqual([])
    await page.context().setOffline(false)
    await page.route(
      '**/rest/common_file',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await file('letter.txt').getByRole('button', { name: 'Try again' }).click()
    await file('letter.txt').getByText('Caseway cannot be reached').waitFor()
    await file('letter.txt').getByRole('button', { name: 'Try again' }).click()
    await file('letter.txt').getByText('No virus found').waitFor()
    expect(await file('letter.txt').count()).toBe(1)
  })

  it('because it was cancelled is removed', async () => {
    const throttled = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 }
    await throttled.send('Network.emulateNetworkConditions', slow)
    await attach(await largeFile('cancelled.bin', 20_000_000))
    await file('cancelled.bin').getByRole('button', { name: 'Cancel cancelled.bin' }).click()
    await eventually(async () => expect(await file('cancelled.bin').count()).toBe(0))
    expect(await page.locator('.files').getByRole('alert').count()).toBe(0)
  })
})
