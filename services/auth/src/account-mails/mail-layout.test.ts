import { describe, expect, it } from '@jest/globals'
import { type Draft, type Language, languages, mailTopics } from './account-mail.js'
import { mailOf } from './mail-layout.js'
import { messageOf } from './mail-message.client.js'

const url = 'https://office.test/#/password_reset/abc'

const draft = (over: { topic?: Draft['topic']; name?: string; language?: Language } = {}): Draft => {
  const { topic = 'invitation', name = 'Lis & Synowie', language = 'en' } = over
  const login = { email: 'ada@client.test', passwordHash: null }
  const office = { id: 1n, name, language }
  return { topic, to: login.email, recipient: { person: { kind: 'client', id: 1n }, login, active: true, office } }
}

describe.each(languages)('in %s', (language) => {
  it.each(mailTopics)('a mail about %s has the same sentences and the same link in text and in HTML', (topic) => {
    const { to, subject, text, html } = mailOf(draft({ topic, language }), url)
    expect([to, subject]).toEqual(['ada@client.test', expect.stringMatching(/\S/)])
    expect(text).toContain(`\n\n${url}\n\n`)
    expect(html).toContain(`<html lang="${language}">`)
    expect(html).toContain(`<a href="${url}"`)
    const plain = html.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&')
    for (const line of text.split('\n\n')) expect(plain).toContain(line.trim())
  })
})

it('every mail has a subject of its own in each language', () => {
  for (const topic of mailTopics) {
    const [pl, en] = languages.map((language) => mailOf(draft({ topic, language }), url))
    expect(pl?.subject).not.toBe(en?.subject)
    expect(pl?.text).not.toBe(en?.text)
  }
})

it.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)", '&lt;b&gt;'])(
  'the name %s is escaped',
  (name) => {
    const { html, text } = mailOf(draft({ name }), url)
    const plain = mailOf(draft({ name: 'N' }), url).html
    // Escaped, it adds no tag and no attribute.
    for (const mark of ['<', '>', '"', "'"]) expect(html.split(mark)).toHaveLength(plain.split(mark).length)
    expect(text).toContain(name)
  },
)

it.each(['\r\nBcc: eve@client.test', '\nX: y', '\0'])('a header value with %j is refused', (end) => {
  const mail = { id: 'a', ...mailOf(draft(), url) }
  expect(() => messageOf('a@b.test', { ...mail, subject: `Invitation${end}` })).toThrow('control character')
  expect(() => messageOf('a@b.test', { ...mail, to: `ada@client.test${end}` })).toThrow('control character')
  expect(() => messageOf(`a@b.test${end}`, mail)).toThrow('control character')
})
