import { userEvent } from '@caseway/auth/users/user-event'
import { relayChannel } from '@caseway/kit/events'
import { userTopic } from '@caseway/protos/topics'
import type { OwnedDatabase } from '../platform/databases.js'
import type { Person } from '../platform/tokens.js'
import { publishingOffices, userOf, usersPerOffice } from './offices.js'

/** The row and its event in one statement, as auth writes them in one transaction; then the relay is notified, as auth does. */
const change = `
  WITH changes AS (SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bytea[]) AS changes (user_id, revision, key, payload)),
    changed AS (
      UPDATE users SET lastname = users.lastname FROM (SELECT DISTINCT user_id FROM changes) AS changes WHERE users.id = changes.user_id
    )
  INSERT INTO kit.outbox (topic, key, payload) SELECT '${userTopic.name}', key, payload FROM changes ORDER BY revision, user_id`

/** Writes changes of users as auth does, of each user in turn. */
export function userChanges(auth: OwnedDatabase) {
  const people = publishingOffices.flatMap((office) => Array.from({ length: usersPerOffice }, (_, index) => userOf(office, index + 1)))
  let made = 0

  const next = () => {
    const person = people[made % people.length] as Person
    const revision = 2 + Math.floor(made / people.length)
    made += 1
    const [id, customerId] = [BigInt(person.userId), BigInt(person.customerId)]
    const names = { email: `${id}@office.example`, firstname: 'Jan', lastname: `Kowalski ${revision}` }
    const event = userEvent({ id, customerId, ...names, active: true, version: revision })
    return { userId: person.userId, revision, key: userTopic.key(event), payload: userTopic.message.encode(event).finish() }
  }
  const write = async (changes: readonly ReturnType<typeof next>[]) => {
    await auth.rows(change, [
      changes.map(({ userId }) => userId),
      changes.map(({ revision }) => revision),
      changes.map(({ key }) => key),
      changes.map(({ payload }) => Buffer.from(payload)),
    ])
    await auth.rows(`NOTIFY ${relayChannel}`)
  }

  return {
    /** The ids of all users. */
    ids: people.map(({ userId }) => userId),

    async one() {
      const changed = next()
      await write([changed])
      return changed
    },

    /** Writes `count` changes in one transaction, equally many for each user; returns the last revision of all users. */
    async many(count: number): Promise<number> {
      while (made % people.length > 0) await this.one()
      const changes = Array.from({ length: count }, next)
      await write(changes)
      return changes.at(-1)?.revision ?? 0
    },
  }
}
