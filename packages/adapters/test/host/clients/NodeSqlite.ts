/**
 * Shows a host with `node:sqlite`, where the database object is also the connection of its
 * transactions.
 */
import type { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"

/**
 * Number of attempts to begin a transaction, which take two seconds in total. Other transactions
 * take milliseconds.
 */
const triesMax = 400
const pauseMillis = 5

/**
 * Begins a transaction. SQLite allows only one writer; waiting inside SQLite would block the
 * current writer, because it runs in this process.
 */
const begin = async (database: DatabaseSync): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      return database.exec("BEGIN IMMEDIATE")
    } catch (error) {
      if (tries === triesMax || !String(error).includes("locked")) throw error
      await sleep(pauseMillis)
    }
  }
}

export const transact = async <A>(
  database: DatabaseSync,
  work: (database: DatabaseSync) => Promise<A>
): Promise<A> => {
  await begin(database)
  try {
    const done = await work(database)
    database.exec("COMMIT")
    return done
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK")
    throw error
  }
}
