/** Tests the error message for each kind of database error. */
import { databaseSentence } from "@verbatim/embed/trouble"
import { Redacted } from "effect"
import { SqlError } from "effect/sql"
import { assert, describe, it } from "vitest"
import type { DatabaseLocation } from "#src/DatabaseLocation"

const file: DatabaseLocation = { _tag: "Sqlite", filename: "/data/verbatim.db" }

const server: DatabaseLocation = {
  _tag: "Postgres",
  url: Redacted.make("postgres://me:hush@db.example:5433/calls?password=hush")
}

const failure = (cause: unknown) =>
  new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { message: "refused" }) })

/** An error from Node or the driver, with a message that must not be shown. */
const coded = (codes: object) => Object.assign(new Error("hush"), codes)

describe("the explanation for a database error", () => {
  it.each([
    ["EACCES", "this user is not allowed to use it"],
    ["ENOSPC", "the disk is full"]
  ])("gives the file system's reason for %s", (code, reason) => {
    assert.strictEqual(
      databaseSentence(file, failure(coded({ code }))),
      `The database /data/verbatim.db cannot be opened or written: ${reason} (${code}).`
    )
  })

  it.each([
    [11, "it is damaged"],
    [778, "the disk reports an error"]
  ])("gives the reason for SQLite's code %d", (errcode, reason) => {
    const sentence = databaseSentence(file, failure(coded({ code: "ERR_SQLITE_ERROR", errcode })))
    assert.include(sentence, `: ${reason} (SQLite's code ${errcode}).`)
    assert.notInclude(sentence, "hush")
  })

  it.each([
    [new SqlError.ConnectionError({ cause: coded({ code: "ENOTFOUND" }) }), "has no address"],
    [new SqlError.ConnectionError({ cause: coded({}) }), "did not answer in time"],
    [new SqlError.UnknownError({ cause: coded({ code: "53300" }) }), "has no free sessions"],
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

  const says = (code: string, message: string) =>
    databaseSentence(
      server,
      new SqlError.SqlError({
        reason: new (code === "42501" ? SqlError.AuthorizationError : SqlError.ConnectionError)({
          cause: Object.assign(new Error(message), { code })
        })
      })
    )

  it("repeats the message of the server on one line, without the password", () => {
    const sentence = says("08P01", "unsupported startup parameter:\n statement_timeout of hush")
    assert.include(
      sentence,
      "it refuses the connection. Postgres says: unsupported startup parameter: " +
        "statement_timeout of ***."
    )
  })

  it("names the permission that a database role lacks", () => {
    assert.include(
      says("42501", "permission denied for schema public"),
      'schema public. Run: GRANT USAGE, CREATE ON SCHEMA public TO "me"'
    )
  })
})
