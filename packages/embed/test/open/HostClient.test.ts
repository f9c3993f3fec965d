/** Tests Verbatim on the host's Effect `SqlClient`, and in that client's transactions. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import type { Embedded, Verbatim } from "@verbatim/embed"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { onTestFinished } from "vitest"
import {
  ended,
  newDatabase,
  newFolder,
  openFor,
  recording,
  refusal,
  transcribed
} from "./Opened.ts"

/** Creates a client that the test itself opens and closes. */
const opened = async <E>(
  layer: Layer.Layer<SqlClient.SqlClient, E>
): Promise<SqlClient.SqlClient> => {
  const scope = Effect.runSync(Scope.make())
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  return Context.get(context, SqlClient.SqlClient)
}

const openPostgres = async (name: string): Promise<SqlClient.SqlClient> => {
  const url = Redacted.make(await newDatabase(name))
  return opened(PgClient.layer({ url, maxConnections: 4 }))
}

/** Creates the host's SQLite client: one connection with the settings that the stores need. */
const openSqlite = (): Promise<SqlClient.SqlClient> =>
  opened(SqliteClient.layer({ filename: join(newFolder(), "app.db") }))

const clients: ReadonlyArray<readonly [name: string, make: () => Promise<SqlClient.SqlClient>]> = [
  ["Postgres", () => openPostgres("embed_client")],
  ["SQLite", openSqlite]
]

const make = async (client: SqlClient.SqlClient): Promise<Verbatim> => {
  await Effect.runPromise(client`CREATE TABLE articles (title TEXT PRIMARY KEY)`)
  return openFor({ database: client, media: newFolder() })
}

/** Returns a client's current transaction. */
const transactionOf = (client: SqlClient.SqlClient) =>
  Effect.flatMap(Effect.serviceOption(client.transactionService), Effect.fromOption)

/** Writes the host's rows and Verbatim's in one transaction. */
const publish = (
  client: SqlClient.SqlClient,
  { acme, title }: { readonly title: string; readonly acme: Embedded }
) =>
  client.withTransaction(
    Effect.gen(function* () {
      const transaction = yield* transactionOf(client)
      yield* client`INSERT INTO articles (title) VALUES (${title})`
      return yield* Effect.promise(async () => {
        const { presets, transcriptions } = acme.within(transaction)
        const [first, second] = await Promise.all([
          transcriptions.create({ path: recording }),
          transcriptions.create({ path: recording })
        ])
        await presets.createFromResponses(title, {})
        // A refused call writes nothing, and the transaction can continue.
        await refusal(404, presets.get("none"))
        return [first.id, second.id]
      })
    })
  )

describe.each(clients)("a %s client", (_, makeClient) => {
  it("is used as the database, and stays open when Verbatim closes", async () => {
    const client = await makeClient()
    const verbatim = await make(client)
    assert.strictEqual((await transcribed(verbatim)).status, "COMPLETED")
    await verbatim.presets.createFromResponses("notes", { model: "any/model" })
    assert.strictEqual((await verbatim.presets.list()).total_count, 1)
    await verbatim.close()
    assert.lengthOf(await Effect.runPromise(client`SELECT * FROM articles`), 0)
    const [row] = await Effect.runPromise(client`SELECT COUNT(*) AS n FROM verbatim_jobs`)
    assert.strictEqual(Number(row?.n), 1)
  })

  it("commits jobs and presets together with the host's rows, or not at all", async () => {
    const client = await makeClient()
    const verbatim = await make(client)
    const acme = verbatim.as({ workspace: "acme" })
    const undone = await Effect.runPromiseExit(
      client.withTransaction(
        Effect.andThen(publish(client, { acme, title: "undone" }), Effect.fail("no"))
      )
    )
    assert.isTrue(Exit.isFailure(undone))
    await refusal(404, acme.presets.get("undone"))
    const ids = await Effect.runPromise(publish(client, { acme, title: "kept" }))
    for (const id of ids) assert.strictEqual((await ended(acme, id)).status, "COMPLETED")
    assert.lengthOf((await acme.transcriptions.list()).data, 2)
    assert.strictEqual((await acme.presets.list()).total_count, 1)
    const rows = await Effect.runPromise(client`SELECT title FROM articles`)
    assert.deepStrictEqual(rows, [{ title: "kept" }])
  })

  it("is rejected if the host's transaction has ended", async () => {
    const client = await makeClient()
    const verbatim = await make(client)
    const past = await Effect.runPromise(client.withTransaction(transactionOf(client)))
    const late = verbatim.within(past).transcriptions.create({ path: recording })
    assert.match((await refusal(409, late)).message, /transaction/)
    assert.lengthOf((await verbatim.transcriptions.list()).data, 0)
  })
})

describe("a host's client", () => {
  it("can be used while other drivers have connections to the same file", async () => {
    const filename = join(newFolder(), "app.db")
    const client = await opened(SqliteClient.layer({ filename }))
    const verbatim = await openFor({ database: client, media: newFolder() })
    await verbatim.presets.list()
    const host = new DatabaseSync(filename)
    onTestFinished(() => host.close())
    host.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    const { slug } = await verbatim.within(host).presets.createFromResponses("notes", {})
    host.exec("ROLLBACK")
    await refusal(404, verbatim.presets.get(slug))
  })
})
