/** Shows a host with `pg`. The client that has begun a transaction is its connection. */
import { within } from "@verbatim/adapters/postgres"
import type { HostTransaction } from "@verbatim/adapters/sql"
import type { Effect, ManagedRuntime } from "effect"
import type { Pool, PoolClient } from "pg"

export const transact = async <A>(
  pool: Pool,
  work: (client: PoolClient) => Promise<A>
): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const done = await work(client)
    await client.query("COMMIT")
    return done
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

/** Publishes an article together with the job that `submit` creates, or neither of them. */
export const publish = <A, E, R>(
  pool: Pool,
  {
    runtime,
    submit,
    title
  }: {
    readonly runtime: ManagedRuntime.ManagedRuntime<R | HostTransaction, never>
    readonly submit: Effect.Effect<A, E, R>
    readonly title: string
  }
): Promise<A> =>
  transact(pool, async (client) => {
    await client.query("INSERT INTO articles (title) VALUES ($1)", [title])
    return runtime.runPromise(within(client)(submit))
  })
