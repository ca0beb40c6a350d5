import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'

/** Runs `work` with a connection of the owner of the tables, and closes the connection however `work` ends. */
export async function asOwner<T>(ownerUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(databaseConnection(ownerUrl))
  // The statement rejects as well; an 'error' without a listener would end the process.
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}
