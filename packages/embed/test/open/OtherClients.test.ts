/** Tests transactions of query builders, each with the builder's own package. */
import type { Transaction } from "@verbatim/embed"
import { fromDrizzle, fromKnex, fromKysely, fromPrisma } from "@verbatim/embed/transactions"
import { drizzle } from "drizzle-orm/node-postgres"
import knex from "knex"
import { Kysely, PostgresDialect } from "kysely"
import { Pool } from "pg"
import { assert, describe, it, onTestFinished } from "vitest"
import { newDatabase, newFolder, openFor, refusal } from "./Opened.ts"

class Undo extends Error {}

/**
 * A host that uses its own database client. `transact` runs `work` in a transaction, which is
 * rolled back if `work` rejects.
 */
interface Host {
  readonly transact: (work: (transaction: Transaction) => Promise<void>) => Promise<void>
  readonly close: () => Promise<unknown>
}

const hosts: Readonly<Record<string, (url: string) => Host>> = {
  kysely: (connectionString) => {
    const database = new Kysely<never>({
      dialect: new PostgresDialect({ pool: new Pool({ connectionString }) })
    })
    return {
      transact: (work) => database.transaction().execute((tx) => work(fromKysely(tx))),
      close: () => database.destroy()
    }
  },
  drizzle: (connectionString) => {
    const pool = new Pool({ connectionString })
    const database = drizzle({ client: pool })
    return {
      transact: (work) => database.transaction((tx) => work(fromDrizzle(tx))),
      close: () => pool.end()
    }
  },
  knex: (connection) => {
    const database = knex({ client: "pg", connection })
    return {
      transact: (work) => database.transaction((tx) => work(fromKnex(tx))),
      close: () => database.destroy()
    }
  },
  // Prisma is missing here, because it generates its client from a schema; `npm run test:packages`
  // tests it.
  "the shape of prisma": (connectionString) => {
    const pool = new Pool({ connectionString })
    return {
      transact: async (work) => {
        const client = await pool.connect()
        const transaction = {
          $queryRawUnsafe: async <A>(text: string, ...values: Array<unknown>) =>
            (await client.query(text, values)).rows as A
        }
        try {
          await client.query("BEGIN")
          await work(fromPrisma(transaction))
          await client.query("COMMIT")
        } catch (error) {
          await client.query("ROLLBACK")
          throw error
        } finally {
          client.release()
        }
      },
      close: () => pool.end()
    }
  }
}

describe("a transaction of another database client", () => {
  for (const [name, openHost] of Object.entries(hosts)) {
    it(`commits or rolls back a preset together with its other changes (${name})`, async () => {
      const slug = name.replaceAll(" ", "-")
      const database = await newDatabase(`embed_${name.replaceAll(" ", "_")}`)
      const verbatim = await openFor({ database, media: newFolder() })
      const host = openHost(database)
      onTestFinished(async () => {
        await host.close()
      })
      const create = async (transaction: Transaction, body: object) => {
        const { presets } = verbatim.within(transaction)
        await presets.createFromResponses(slug, body)
        assert.strictEqual((await presets.get(slug)).slug, slug)
      }
      const undone = host.transact(async (transaction) => {
        await create(transaction, { model: "a/b" })
        throw new Undo()
      })
      assert.instanceOf(await undone.catch((error: unknown) => error), Undo)
      await refusal(404, verbatim.presets.get(slug))

      await host.transact((transaction) => create(transaction, { model: "a/c" }))
      const { designated_version } = await verbatim.presets.get(slug)
      assert.deepStrictEqual(designated_version?.config, { model: "a/c" })
    })
  }
})
