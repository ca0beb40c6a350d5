import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@caseway/testing'
import { expect, it } from '@jest/globals'
import { openHome } from './home.js'
import { linkOf, showLinks } from './mails.js'

const url = 'http://127.0.0.1:3000/#/invitation/abcdefghijklmnopqrstuv'
const mail = (body: string) => `From: Caseway <caseway@localhost>\r\nTo: ada@office.test\r\nSubject: x\r\n\r\nHello\r\n\r\n${body}\r\n`

it('the link of a mail is printed when the mail arrives', async () => {
  const home = await openHome(mkdtempSync(join(tmpdir(), 'caseway-mails-')))
  const said: string[] = []
  const shown = showLinks(home, (line) => said.push(line))
  writeFileSync(join(home.mails, 'a.unfinished'), mail(url))
  renameSync(join(home.mails, 'a.unfinished'), join(home.mails, 'a.eml'))
  await eventually(() => expect(said).toContain(`Mail to ada@office.test: ${url}`))
  shown.close()
  rmSync(home.folder, { recursive: true })
})

it('a link is found despite quoted-printable line breaks and escapes', () => {
  expect(linkOf(mail('http://127.0.0.1:3000/?a=3Db#/invita=\r\ntion/abc'))).toBe(
    'Mail to ada@office.test: http://127.0.0.1:3000/?a=b#/invitation/abc',
  )
  expect(linkOf(mail('Nothing to open'))).toBeUndefined()
})
