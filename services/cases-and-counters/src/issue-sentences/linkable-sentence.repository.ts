import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import type { LinkableObject } from '@caseway/kit/objects'
import type { Db } from '../database.js'
import type { SentenceRow } from './issue-sentence.resource.js'

export type LinkableSentence = LinkableObject & Pick<SentenceRow, 'status' | 'speaker' | 'speakerId'>

export const linkableSentenceRepository = (db: Db) => ({
  /** The sentences among `ids` to which files can be attached. */
  some: (customerId: Id, ids: readonly Id[]): Promise<LinkableSentence[]> =>
    db.read(office(customerId)).issueSentence.findMany({
      where: { customerId, id: { in: [...ids] } },
      select: { id: true, userClientId: true, issueId: true, version: true, status: true, speaker: true, speakerId: true },
    }) as Promise<LinkableSentence[]>,
})

export type LinkableSentenceRepository = ReturnType<typeof linkableSentenceRepository>
