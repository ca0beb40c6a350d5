import type { Employee } from '@caseway/kit/caller'
import { expect, it } from '@jest/globals'
import { type ReceivedMessageParts, receivedMessageService } from './received-message.service.js'

it.each([
  ['a personal folder', { folderName: 'OTHERS' }, { folderName: 'OTHERS', userId: 7n }],
  ['a personal folder of a colleague', { folderName: 'SENT', userId: 8n }, { folderName: 'SENT', userId: 8n }],
  ['a folder of the office', { folderName: 'CLIENTS' }, { folderName: 'CLIENTS' }],
  ['all folders', {}, {}],
])('a list of %s reads the messages of the caller where it can show no others', async (_, filters, read) => {
  const queries: object[] = []
  const messages = { list: async (_: unknown, query: object) => queries.push(query) }
  const parts = { messages, readerOf: async (caller: Employee) => caller } as unknown as ReceivedMessageParts
  const query = { limit: 5, filters } as unknown as Parameters<ReturnType<typeof receivedMessageService>['list']>[1]
  await receivedMessageService(parts).list({ userId: 7n } as Employee, query)
  expect(queries).toEqual([{ limit: 5, filters: read }])
})
