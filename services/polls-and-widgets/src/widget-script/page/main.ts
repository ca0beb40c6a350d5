import { pollForm } from './form.js'
import type { Poll, Settings } from './poll.js'
import { css } from './style.js'
import { defaultTexts } from './texts.js'

/** The address of the script names the widget: …/widgets/<hash>/widget.js. */
const script = document.currentScript as HTMLScriptElement
const [, address = '', hash = ''] = /^(.*)\/widgets\/([^/]+)\/widget\.js/.exec(script.src) ?? []

async function read<T>(path: string): Promise<T | undefined> {
  const response = await fetch(`${address}${path}/${hash}`, { credentials: 'omit' })
  return response.ok ? response.json() : undefined
}

/** Inserts the form behind the script element, or at the end of the body where that is in the head. */
function mount(form: HTMLElement): void {
  const host = document.createElement('div')
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(form)
  if (document.body.contains(script)) script.after(host)
  else document.body.append(host)
}

async function start(): Promise<void> {
  const [widget, found] = await Promise.all([read<{ ChatWidget: { settings: string | null } }>('/widgets'), read<{ Poll: Poll }>('/polls')])
  if (!widget || !found) return
  const { lang = 'en', texts }: Settings = JSON.parse(widget.ChatWidget.settings ?? '{}')
  const poll = found.Poll
  const target = { url: `${address}/poll_answers/save`, key: `caseway-${hash}-${poll.id}-${poll.version}` }
  const form = pollForm(poll, { ...defaultTexts, ...texts }, target)
  form.lang = lang
  mount(form)
}

/** Ignores errors, so that the page is unchanged without a connection or a poll. */
const quietly = () => void start().catch(() => undefined)
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', quietly)
else quietly()
