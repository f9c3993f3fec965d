/** Transactions of the query builders that hosts have, each from its own package. */
import { open, type Transaction, type Verbatim } from "@verbatim/embed"
import { fromDrizzle, fromKnex, fromKysely, fromPrisma } from "@verbatim/embed/transactions"
import { launch } from "@verbatim/testkit/servers"
import { drizzle } from "drizzle-orm/node-postgres"
import knex from "knex"
import { Kysely, PostgresDialect } from "kysely"
import { Pool } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

class Undo extends Error {}

/** A host with a client of its own: `work` is undone when it rejects. */
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
  // Its own package makes a client from a schema: `npm run test:packages` runs that one.
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

describe("within a transaction of", () => {
  let verbatim: Verbatim
  let server: Awaited<ReturnType<typeof launch>>
  beforeAll(async () => {
    server = await launch()
    verbatim = await open({ database: server.url, media: ".verbatim/media", roles: ["http"] })
  })
  afterAll(async () => {
    await verbatim.close()
    await server.remove()
  })

  for (const [name, openHost] of Object.entries(hosts)) {
    it(`${name}, a preset is kept or rolled back with the rest`, async () => {
      const host = openHost(server.url)
      const slug = name.replaceAll(" ", "-")
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
      assert.strictEqual((await verbatim.presets.get(slug).catch((error) => error)).status, 404)

      await host.transact((transaction) => create(transaction, { model: "a/c" }))
      const { designated_version } = await verbatim.presets.get(slug)
      assert.deepStrictEqual(designated_version?.config, { model: "a/c" })
      await host.close()
    })
  }
})
