import escapeHtml from 'escape-html'
import { simpleParser } from 'mailparser'
import { bounded, textCharacters } from './clean-text.ts'
import { options } from './parser-options.ts'

/** The HTML of a text part beside HTML parts, which replaces the library's own. */
export const textToHtml = (text: string) =>
  `<div dir="auto" style="white-space:pre-wrap">${escapeHtml(text.slice(0, textCharacters).trim())}</div>`
export const textsAsHtml = /<div dir="auto" style="white-space:pre-wrap">[^<]*<\/div>/g

/** `data:` URLs: quoted, in the url() of a style, or bare. */
const dataUrls = /"\s*data:[\w.+-]+\/[^"]*"|'\s*data:[\w.+-]+\/[^']*'|\(\s*data:[\w.+-]+\/[^()]*\)|=\s*data:[\w.+-]+\/[^\s"'<>]*/gi
export const withoutData = (html: string) => html.replace(dataUrls, (url) => (url.startsWith('=') ? '=""' : `${url[0]}${url.at(-1)}`))

/** The plain text of HTML. The library leaves out what is nested too deep. */
export async function textOf(html: string): Promise<string> {
  const source = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${bounded(withoutData(html))}`
  return (await simpleParser(Buffer.from(source), { ...options, maxHtmlLengthToParse: textCharacters })).text ?? ''
}
