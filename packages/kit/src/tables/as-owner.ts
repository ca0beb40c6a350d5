import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'

/** Runs `work` with a connection of the owner of the tables, and closes the connection however `work` ends. */
export async function asOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(databaseConnection(ownerUrl))
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}
