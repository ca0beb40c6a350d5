import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import type { QueuedOf } from './sending-queue.js'

export const sendingQueue = (db: Db) => (): Promise<QueuedOf[]> =>
  db.write(
    platform,
    (tx) => tx.$queryRaw<QueuedOf[]>`
      SELECT CASE
          WHEN message.status = 1 THEN CASE WHEN message.phase = 'dot' THEN 'uncertain' ELSE 'sending' END
          WHEN server.state <> 'active' THEN 'stopped'
          WHEN message.send_at > now() THEN 'scheduled'
          WHEN message.next_attempt_at > now() THEN 'deferred'
          ELSE 'due' END AS state,
        count(*)::int,
        greatest(0, extract(epoch FROM now() - min(greatest(message.send_at, message.modified))))::float8 AS "oldestSeconds"
      FROM mail_sent_messages AS message LEFT JOIN mail_servers AS server ON server.id = message.mail_server_id
      WHERE message.status IN (0, 1) AND (message.status = 1 OR message.blob_key IS NOT NULL) GROUP BY 1`,
  )
