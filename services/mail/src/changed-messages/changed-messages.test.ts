import { describe, expect, it } from '@jest/globals'
import { systemFolder } from '../received-messages/target-folder.js'
import { maxAtOnce, receivedChanges, sentChanges } from './changed-messages.js'

const others = [systemFolder('OTHERS')]
const none = { customerId: 1n, receivedIds: [], sentIds: [] }

describe('the event about changed messages', () => {
  it('is for the owner alone where only personal folders are concerned', () => {
    const changed = receivedChanges(1n, [
      { id: 5n, userId: 2n, folders: others },
      { id: 6n, userId: 3n, folders: others },
      { id: 7n, userId: 2n, folders: [...others, systemFolder('TRASH')] },
    ])
    expect(changed).toEqual([
      { ...none, userId: 2n, receivedIds: [5n, 7n] },
      { ...none, userId: 3n, receivedIds: [6n] },
    ])
  })

  it.each([
    ['is in a folder of the office', [systemFolder('CLIENTS')]],
    ['was in one', [systemFolder('TRASH'), systemFolder('LEADS')]],
    ['is in a custom folder', [{ system: null, custom: 9n } as const]],
  ])('is a single one for the office where a message %s', (_, folders) => {
    const changed = receivedChanges(1n, [
      { id: 5n, userId: 2n, folders: others },
      { id: 6n, userId: 3n, folders },
    ])
    expect(changed).toEqual([{ ...none, userId: 0n, receivedIds: [5n, 6n] }])
  })

  it('that were sent is for their author', () => {
    expect(sentChanges(1n, [{ id: 5n, userId: 2n }])).toEqual([{ ...none, userId: 2n, sentIds: [5n] }])
  })

  it('names no more messages than a stream needs to know that there are too many', () => {
    const messages = Array.from({ length: 2000 }, (_, i) => ({ id: BigInt(i + 1), userId: 2n, folders: others }))
    expect(receivedChanges(1n, messages)[0]?.receivedIds).toHaveLength(maxAtOnce)
    expect(sentChanges(1n, messages)[0]?.sentIds).toHaveLength(maxAtOnce)
    expect(receivedChanges(1n, [])).toEqual([])
  })
})
