import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'

/** Connects as the owner of the tables, and disconnects however `work` ends. */
export async function asOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(databaseConnection(ownerUrl))
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}
