import { describe, expect, it } from '@jest/globals'
import { htmlOfText } from '../../src/mail-html/mail-html.js'
import { sanitizedMailHtml } from '../../src/mail-html/sanitize-html.client.js'
import { hostileHtml } from '../support/hostile-html.js'

const images = [{ position: 3, contentId: 'known' }]
const sanitise = (html: string) => sanitizedMailHtml.sanitise(html, images, (position) => `/attachment/${position}`)

interface Attribute {
  readonly tagName: string
  readonly name: string
  readonly value: string
}

const tag = /<(?:\/[a-z][a-z0-9]*|[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*(?: \/)?)>/

/** Tags with quoted attributes, and text between them without a sign that could begin one: every parser reads this alike. */
const strict = new RegExp(`^(?:[^<>]|${tag.source})*$`)

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const decoded = (value: string) => value.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] as string)

const openTags = (html: string) =>
  [...html.matchAll(/<([a-z][a-z0-9]*)([^<>]*)>/g)].map(([, tagName = '', rest = '']) => ({ tagName, rest }))

const elementsOf = (html: string) => openTags(html).map(({ tagName }) => ({ tagName }))

const attributesOf = (html: string): Attribute[] =>
  openTags(html).flatMap(({ tagName, rest }) =>
    [...rest.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => ({ tagName, name, value: decoded(value) })),
  )

const dangerous = [
  'script',
  'style',
  'iframe',
  'frame',
  'object',
  'embed',
  'applet',
  'link',
  'meta',
  'base',
  'form',
  'input',
  'button',
  'svg',
  'math',
]
const links = /^(?:https?|mailto|tel):/i
const shown = /^(?:\/attachment\/3$|data:image\/(?:png|gif|jpeg|webp);base64,)/

describe('what strangers send', () => {
  it('has more than a hundred examples', () => {
    expect(new Set(hostileHtml).size).toBeGreaterThanOrEqual(100)
  })

  it.each(hostileHtml.map((html) => [html]))('runs and loads nothing: %s', (html) => {
    const clean = sanitise(html)
    expect(clean).toMatch(strict)
    expect(elementsOf(clean).filter(({ tagName }) => dangerous.includes(tagName))).toEqual([])
    const attributes = attributesOf(clean)
    expect(attributes.filter(({ name }) => /^on|srcset|srcdoc|background|action|ping|poster|xlink|^data|^id$|^class$/i.test(name))).toEqual(
      [],
    )
    expect(attributes.filter(({ name, value }) => name === 'href' && !links.test(value))).toEqual([])
    expect(attributes.filter(({ tagName, name, value }) => name === 'src' && !(tagName === 'img' && shown.test(value)))).toEqual([])
    expect(attributes.filter(({ name, value }) => name === 'style' && /url|image|expression|\\|@|src/i.test(value))).toEqual([])
    // Sanitising is idempotent.
    expect(sanitise(clean).replaceAll('src="/attachment/3"', '')).toBe(clean.replaceAll('src="/attachment/3"', ''))
  })
})

describe('what people write', () => {
  it('keeps text, tables, lists, links, colours and sizes', () => {
    const html =
      '<table width="600" cellpadding="4"><tr><td colspan="2" style="color:#333333;padding:4px 8px"><b>Invoice</b></td></tr></table><ul><li>One</li></ul>'
    expect(sanitise(html)).toBe(
      '<table width="600" cellpadding="4"><tr><td colspan="2" style="color:#333333;padding:4px 8px"><b>Invoice</b></td></tr></table><ul><li>One</li></ul>',
    )
    expect(sanitise('<a href="https://x.example/?a=1&amp;b=2">x</a>')).toBe(
      '<a href="https://x.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
  })

  it('keeps a background colour in each notation', () => {
    const html = '<div style="background:#1a73e8;color:#ffffff">Pay now</div>'
    expect(sanitise(html)).toBe(html)
    expect(sanitise('<p style="background:#fff url(https://x.example/x.png) no-repeat;color:red">x</p>')).toBe('<p style="color:red">x</p>')
  })

  it('shows attached images, and images in `data:` URLs', () => {
    expect(sanitise('<img src="cid:known" alt="A">')).toBe('<img alt="A" src="/attachment/3" />')
    expect(sanitise('<img src="CID:k%6Eown">')).toBe('<img src="/attachment/3" />')
    expect(sanitise('<img src="data:image/png;base64,AAAA">')).toBe('<img src="data:image/png;base64,AAAA" />')
    expect(sanitise('<img src="https://x.example/x.png" alt="A">')).toBe('<img alt="A" />')
  })

  it('is limited in its depth', () => {
    expect(sanitise('<div>'.repeat(900)).length).toBeLessThan(2000)
  })

  it.each(['<b>', '<div><br>', '<table><tr><td>', '<x>'])('is shown without its tags where it is nested too deep: %s', (nested) => {
    expect(sanitise(`<p>One &amp; 1 < 2</p>${nested.repeat(100_000)}<i>Two</i>`)).toBe(' One &amp; 1 Two ')
  })

  it('keeps its tags where there are many side by side', () => {
    expect(sanitise('<p>One<br><img>'.repeat(20_000))).toContain('<p>One<br />')
  })

  it('shows plain text as it was written', () => {
    expect(htmlOfText('a < b & "c"\n<script>')).toBe('<div style="white-space:pre-wrap">a &lt; b &amp; &quot;c&quot;\n&lt;script&gt;</div>')
    expect(htmlOfText('')).toBe('')
  })
})
