import { describe, expect, it } from '@jest/globals'
import { wrongUrl } from './webhook-url.js'

describe('a private host that the deployment names with the default port of a protocol', () => {
  const privateHosts = ['plain.internal:80', 'tls.internal:443']

  it.each(['http://plain.internal/hook', 'http://plain.internal:80/hook', 'https://tls.internal/hook'])('may be %s', (url) => {
    expect(wrongUrl(url, privateHosts)).toBeUndefined()
  })

  it.each(['http://plain.internal:8080/hook', 'http://plain.internal:0/hook', 'http://tls.internal/hook'])('may not be %s', (url) => {
    expect(wrongUrl(url, privateHosts)).toBe('must begin with https://')
  })
})
