import { afterAll, describe, expect, it } from '@jest/globals'
import { as, notesApp } from './http-notes.js'

const { app, notes } = notesApp()
afterAll(() => app.close())

const url = '/expert/rest/note'
const headers = as('administrator')
const post = (payload: object, more: object = {}) => app.inject({ method: 'POST', url, headers: { ...headers, ...more }, payload })

describe('a resource', () => {
  it('creates', async () => {
    const answer = await post({ Note: { title: 'x', user_id: 5, due: '2026-07-01 12:00:00', secret: 's', number: 9, id: 99 } })
    expect(answer.statusCode).toBe(201)
    const got = await app.inject({ url: `${url}/1`, headers })
    console.log(answer.headers, answer.body, got.body, got.headers)
    console.log((await app.inject({ url: `${url}?count=1&limit=1`, headers })).body)
    console.log(JSON.stringify((await app.inject({ url: `/expert/openapi.json`, headers })).json(), null, 1))
    console.log((await app.inject({ url: `/expert/rest/nope`, headers })).body)
    console.log((await app.inject({ method: 'PATCH', url: `${url}/4`, headers })).headers, notes)
  })
})
