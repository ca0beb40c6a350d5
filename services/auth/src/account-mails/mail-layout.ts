import escapeHtml from 'escape-html'
import type { Draft, Language } from './account-mail.js'
import type { Mail } from './mail-sender.js'
import { en } from './texts/en.js'
import { pl } from './texts/pl.js'
import type { Text, Texts } from './texts/texts.js'

const texts: Readonly<Record<Language, Texts>> = { en, pl }

const font = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1f2933'
const button = 'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4e8c;color:#ffffff;text-decoration:none'

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

const plain = ({ before, after }: Text, url: string) => [...before, url, ...after].join('\n\n').concat('\n')

/** The only place where HTML is made: every value is escaped here. */
const html = ({ subject, before, link, after }: Text, url: string, language: Language) => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="${font}">
${before.map(paragraph).join('\n')}
<p><a href="${escapeHtml(url)}" style="${button}">${escapeHtml(link)}</a></p>
<p style="font-size:13px;color:#52606d;word-break:break-all">${escapeHtml(url)}</p>
${after.map(paragraph).join('\n')}
</body>
</html>
`

/** Renders a draft in the language of the office, as text and as HTML. `url` is the target of its link. */
export function mailOf({ topic, to, recipient: { office } }: Draft, url: string): Omit<Mail, 'id'> {
  const text = texts[office.language][topic](office.name)
  return { to, subject: text.subject, text: plain(text, url), html: html(text, url, office.language) }
}
