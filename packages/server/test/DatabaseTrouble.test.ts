/** Tests the sentence for each cause of a database error. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { databaseSentence } from "@verbatim/embed/trouble"
import { Redacted } from "effect"
import { SqlError } from "effect/sql"
import { assert, describe, it } from "vitest"
import type { DatabaseLocation } from "#src/DatabaseLocation"
import { dataDirectory } from "./ServerProcess.ts"

const file: DatabaseLocation = { _tag: "Sqlite", filename: "/data/verbatim.db" }

const server: DatabaseLocation = {
  _tag: "Postgres",
  url: Redacted.make("postgres://me:hush@db.example:5433/calls?password=hush")
}

const failure = (cause: unknown) =>
  new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { message: "refused" }) })

/** An error from Node or the driver, with a message that must not be shown. */
const coded = (codes: object) => Object.assign(new Error("hush"), codes)

/** An error from `node:sqlite`. */
const thrownBy = (call: () => unknown): unknown => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

describe("the explanation of a database error", () => {
  it.each([
    ["EACCES", "this user is not allowed to use it"],
    ["EPERM", "this user is not allowed to use it"],
    ["EROFS", "the file system is read-only"],
    ["ENOENT", "its folder is missing and cannot be created"],
    ["ENOSPC", "the disk is full"]
  ])("gives the file system's reason for %s", (code, reason) => {
    assert.strictEqual(
      databaseSentence(file, failure(coded({ code }))),
      `The database /data/verbatim.db cannot be opened or written: ${reason} (${code}).`
    )
  })

  it.each([
    [5, "another program has locked it"],
    [11, "it is damaged"],
    [13, "the disk is full"],
    [14, "it, or a file next to it, cannot be opened"],
    [778, "the disk reports an error"]
  ])("gives the reason for SQLite's code %d", (errcode, reason) => {
    const sentence = databaseSentence(file, failure(coded({ code: "ERR_SQLITE_ERROR", errcode })))
    assert.include(sentence, `: ${reason} (SQLite's code ${errcode}).`)
    assert.notInclude(sentence, "hush")
  })

  it("states that a database is read-only", async () => {
    await using directory = await dataDirectory()
    const filename = join(directory.path, "kept.db")
    new DatabaseSync(filename).close()
    using database = new DatabaseSync(filename, { readOnly: true })
    const thrown = thrownBy(() => database.exec("CREATE TABLE notes (text TEXT)"))
    const sentence = databaseSentence({ _tag: "Sqlite", filename }, failure(thrown))
    assert.include(sentence, `${filename} cannot be opened or written: it is read-only`)
  })

  it.each([
    [new SqlError.ConnectionError({ cause: coded({ code: "ENOTFOUND" }) }), "has no address"],
    [new SqlError.ConnectionError({ cause: coded({}) }), "did not answer in time"],
    [new SqlError.UnknownError({ cause: coded({ code: "53300" }) }), "has no free sessions"],
    [new SqlError.UnknownError({ cause: coded({ code: "25006" }) }), "does not accept writes"],
    [new SqlError.UnknownError({ cause: coded({}) }), "cannot be opened or written"],
    [new SqlError.AuthenticationError({ cause: coded({}) }), "rejects the user or the password"],
    [new SqlError.AuthorizationError({ cause: coded({}) }), "lacks a permission"]
  ])("names the host and the database of a server, but not the password", (reason, words) => {
    const sentence = databaseSentence(server, new SqlError.SqlError({ reason }))
    assert.include(sentence, "db.example:5433/calls")
    assert.include(sentence, words)
    assert.notMatch(sentence, /hush|me:/)
  })

  it.each(["hu@sh/hush@db", "12/hush@db", "hu@sh?hush@db", "12#hush@db"])(
    "shows no part of a password that is not percent-encoded: %s",
    (rest) => {
      const url = Redacted.make(`postgres://me:${rest}/calls`)
      const reason = new SqlError.ConnectionError({ cause: coded({ code: "ENOTFOUND" }) })
      const sentence = databaseSentence(
        { _tag: "Postgres", url },
        new SqlError.SqlError({ reason })
      )
      assert.include(sentence, "percent-encode its password")
      assert.notMatch(sentence, /sh|12|me:/)
    }
  )

  it.each([
    "No username configured",
    "Invalid percent-encoding in URL password",
    'Unrecognized sslmode in URL: "on"'
  ])("repeats what the driver says about a URL: %s", (message) => {
    const reason = new SqlError.ConnectionError({ cause: new Error(message) })
    const sentence = databaseSentence(server, new SqlError.SqlError({ reason }))
    assert.include(sentence, `db.example:5433/calls): its URL is wrong (${message}).`)
  })

  const says = (code: string, message: string) =>
    databaseSentence(
      server,
      new SqlError.SqlError({
        reason: new (code === "42501" ? SqlError.AuthorizationError : SqlError.ConnectionError)({
          cause: Object.assign(new Error(message), { code })
        })
      })
    )

  it("repeats the server's message on one line and without the password", () => {
    const sentence = says("08P01", "unsupported startup parameter:\n statement_timeout of hush")
    assert.include(
      sentence,
      "it refuses the connection. Postgres says: unsupported startup parameter: " +
        "statement_timeout of ***."
    )
  })

  it("names the permission that a role lacks", () => {
    assert.include(
      says("42501", "permission denied for schema public"),
      'schema public. Run: GRANT USAGE, CREATE ON SCHEMA public TO "me"'
    )
  })
})
