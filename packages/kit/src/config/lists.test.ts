import { describe, expect, it } from '@jest/globals'
import { choices, dnsServers, hostNames, hostPorts, hosts, origins, urls } from './index.js'

const refused = (texts: readonly string[]) => texts.map((text) => [text, undefined] as const)

describe('a list', () => {
  it.each([
    ['http://a.test/, https://b.test/path', ['http://a.test', 'https://b.test/path']],
    ['http://a.test', ['http://a.test']],
    ...refused(['http://a.test,ftp://b.test', 'http://a.test,']),
  ])('of addresses takes %s for %j', (given, taken) => {
    expect(urls({ help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    ['receive, send', ['receive', 'send']],
    ['send', ['send']],
    ...refused(['recieve', 'receive,sned', 'SEND', 'send,', 'constructor']),
  ])('of choices takes %s for %j', (given, taken) => {
    expect(choices(['receive', 'send'], { help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    ['one:9093, two:9093', ['one:9093', 'two:9093']],
    ['[::1]:9093', ['[::1]:9093']],
    ...refused(['kafka', 'one:9093,two', 'https://kafka:9093', 'kafka:0', '/run/kafka.sock', 'one:9093,']),
  ])('of hosts with their ports takes %s for %j', (given, taken) => {
    expect(hostPorts({ help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    ['mail.test, 10.0.0.1:8080', ['mail.test', '10.0.0.1:8080']],
    ['::1, [::1], [::1]:8080', ['::1', '[::1]', '[::1]:8080']],
    ...refused([
      'mail.test:',
      'mail.test:smtp',
      'mail.test:0',
      'mail.test:65536',
      'http://mail.test',
      'mail.test/',
      '/run/mail.sock',
      'a b',
      'a,,b',
    ]),
  ])('of hosts takes %s for %j', (given, taken) => {
    expect(hosts({ help: '' }).parse(given)).toEqual(taken)
  })

  it.each([['imap.test, 192.0.2.1', ['imap.test', '192.0.2.1']], ...refused(['imap.test:993', 'imaps://imap.test', 'imap.test,'])])(
    'of host names takes %s for %j',
    (given, taken) => {
      expect(hostNames({ help: '' }).parse(given)).toEqual(taken)
    },
  )

  it.each([
    ['192.0.2.1, [2001:db8::1]:5353', ['192.0.2.1', '[2001:db8::1]:5353']],
    ...refused(['dns.test', 'dns.test:53', '192.0.2.1:99999', '192.0.2.1,', '192.0.2']),
  ])('of DNS servers takes %s for %j', (given, taken) => {
    expect(dnsServers({ help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    ['https://app.test, http://localhost:5173', ['https://app.test', 'http://localhost:5173']],
    ['https://App.test:443/', ['https://app.test']],
    ['capacitor://localhost', ['capacitor://localhost']],
    ...refused([
      'app.test',
      'app.test:443',
      '*',
      'null',
      'https://app.test/page',
      'https://app.test?',
      'https://u:p@app.test',
      'a.test,,b.test',
    ]),
  ])('of origins takes %s for %j', (given, taken) => {
    expect(origins({ help: '' }).parse(given)).toEqual(taken)
  })

  it.each([
    [urls({ help: '' }), 'addresses that begin with http:// or https://, separated by commas'],
    [choices(['receive', 'send'], { help: '' }), 'some of receive, send, separated by commas'],
    [hostPorts({ help: '' }), '`host:port`, several separated by commas'],
    [hosts({ help: '' }), '`host` or `host:port`, several separated by commas'],
    [origins({ help: '' }), 'origins as `https://app.example.com`, separated by commas'],
  ])('says what it expects (%#)', (variable, expected) => {
    expect(variable.expected).toBe(expected)
  })
})
