/**
 * Explains to operators why a database, a file or a folder cannot be used. The explanation names
 * the database and the cause, and quotes the server's message, but never the password in the URL.
 * API callers never see the explanation.
 */
import { resolve } from "node:path"
import type { PostgresStoresConfig } from "@verbatim/adapters/postgres"
import { Migrations, PoolerCheck } from "@verbatim/adapters/sql"
import type { SqliteStoresConfig } from "@verbatim/adapters/sqlite"
import { printable } from "@verbatim/core/attempt"
import { Predicate, Redacted } from "effect"
import { SqlError } from "effect/sql"

const forbidden = "this user is not allowed to use it"

/** File system errors, by Node error code. */
const fileReasons: Readonly<Record<string, string>> = {
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: "the file system is read-only",
  ENOENT: "its folder is missing and cannot be created",
  EEXIST: "its folder is a file",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  EMFILE: "this process has too many files open",
  EIO: "the disk reports an error"
}

/** Returns the `code` of a Node error, or an empty string. */
export const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : ""

/**
 * The longest chain of causes to follow. A chain usually has two or three errors; the limit
 * prevents an endless loop if causes form a cycle.
 */
const causesMax = 8

/** Lists an error and its causes, outermost first. */
export const causesOf = (error: unknown): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  for (let each = error; each !== undefined && found.length < causesMax; ) {
    found.push(each)
    each = Predicate.hasProperty(each, "cause") ? each.cause : undefined
  }
  return found
}

/** Returns the file system's reason with its code; undefined if the file system gave none. */
export const fileReasonOf = (error: unknown): string | undefined => {
  for (const each of causesOf(error)) {
    const reason = fileReasons[codeOf(each)]
    if (reason !== undefined) return `${reason} (${codeOf(each)})`
  }
  return undefined
}

/** The location of a database: memory, a file or a server. */
export type DatabaseLocation =
  | ({ readonly _tag: "Sqlite" } & SqliteStoresConfig)
  | ({ readonly _tag: "Postgres" } & PostgresStoresConfig)
  | { readonly _tag: "Memory" }

/** SQLite's base result codes (sqlite.org/rescode.html). */
const sqliteReasons: Readonly<Record<number, string>> = {
  3: "this user is not allowed to use it",
  5: "another program has locked it",
  6: "another program has locked it",
  8: "it is read-only",
  10: "the disk reports an error",
  11: "it is damaged",
  13: "the disk is full",
  14: "it, or a file next to it, cannot be opened",
  26: "it is not an SQLite database"
}

/** SQLSTATE codes (postgresql.org/docs/current/errcodes-appendix.html), and socket errors. */
const serverReasons: Readonly<Record<string, string>> = {
  "3D000": "the server has no database of that name",
  "25006": "it does not accept writes",
  "53100": "its disk is full",
  "53300": "it has no free sessions",
  "57P03": "it is starting or stopping",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "its host is unreachable",
  ENETUNREACH: "its host is unreachable",
  ENOTFOUND: "its host has no address",
  EAI_AGAIN: "the name of its host cannot be resolved now",
  ENOENT: "there is no such socket"
}

/** The low byte of an extended code is the base code. */
const codeMask = 0xff

const sqliteReasonOf = (error: SqlError.SqlError): string | undefined => {
  for (const each of causesOf(error)) {
    if (!Predicate.hasProperty(each, "errcode") || !Predicate.isNumber(each.errcode)) continue
    const reason = sqliteReasons[each.errcode & codeMask]
    return `${reason ?? "SQLite refuses it"} (SQLite's code ${each.errcode})`
  }
  return fileReasonOf(error)
}

/** Messages from the driver about a URL, which quote only a port or an option. */
const urlMistake = /^(?:No username configured$|Invalid \S+ in URL|Unrecognized sslmode in URL)/

const urlReasonOf = (error: SqlError.SqlError): string | undefined => {
  const messages = causesOf(error).flatMap((each) => (each instanceof Error ? [each.message] : []))
  const mistake = messages.find((message) => urlMistake.test(message))
  return mistake === undefined ? undefined : `its URL is wrong (${mistake})`
}

const serverReasonOf = (error: SqlError.SqlError): string | undefined => {
  const code = causesOf(error)
    .map(codeOf)
    .find((each) => each in serverReasons)
  return code === undefined ? undefined : `${serverReasons[code]} (${code})`
}

type Server = Extract<DatabaseLocation, { readonly _tag: "Postgres" }>

/** A code of five characters comes from the server, or from a pooler in front of it. */
const sqlState = /^[0-9A-Z]{5}$/

/**
 * Lists the passwords in a URL. A server never repeats a password, but a pooler may repeat the URL.
 */
const secretsOf = (location: Server): ReadonlyArray<string> => {
  const url = URL.parse(Redacted.value(location.url))
  const found = [url?.password ?? "", url?.searchParams.get("password") ?? ""]
  return found.flatMap((each) => (each === "" ? [] : [each, decodeURIComponent(each)]))
}

/** Returns the server's own message on one line, with passwords removed. */
const saidBy = (location: Server, error: SqlError.SqlError): string | undefined => {
  const said = causesOf(error).find((each) => sqlState.test(codeOf(each)) && each instanceof Error)
  if (!(said instanceof Error)) return undefined
  const hide = (text: string, secret: string) => text.replaceAll(secret, "***")
  return printable(secretsOf(location).reduce(hide, said.message))
}

/** Suggests a GRANT after a schema or database has refused an operation. */
const grantFor = (location: Server, said: string): string => {
  const [, kind = "", name = ""] = /permission denied for (schema|database) (\S+)/.exec(said) ?? []
  const role = URL.parse(Redacted.value(location.url))?.username
  if (kind === "") return ""
  const to = role === undefined || role === "" ? "its role" : `"${decodeURIComponent(role)}"`
  const rights = kind === "schema" ? "USAGE, CREATE ON SCHEMA" : "CREATE ON DATABASE"
  return ` Run: GRANT ${rights} ${name} TO ${to}`
}

/** Describes the location of a database without secrets. */
export const placeOf = (location: DatabaseLocation): string => {
  switch (location._tag) {
    case "Memory":
      return "in memory"
    case "Sqlite":
      return resolve(location.filename)
    case "Postgres": {
      const url = URL.parse(Redacted.value(location.url))
      if (url === null) return "of the URL"
      // With an @ here, a part of an unencoded password could be shown as the host or the path.
      const isEncoded = !`${url.pathname}${url.search}${url.hash}`.includes("@")
      return isEncoded
        ? `${url.host}${url.pathname}`
        : "a URL with an @ after the host; percent-encode its password"
    }
  }
}

const fileSentence = (place: string, error: SqlError.SqlError): string =>
  `The database ${place} cannot be opened or written: ${sqliteReasonOf(error) ?? error.message}.`

const serverSentence = (location: Server, error: SqlError.SqlError): string => {
  const place = placeOf(location)
  if (PoolerCheck.isPoolerError(error)) {
    return `${PoolerCheck.poolerSentence} The database is ${place}.`
  }
  const said = saidBy(location, error)
  const words = said === undefined ? "" : ` Postgres says: ${said}.`
  const reason = urlReasonOf(error) ?? serverReasonOf(error)
  switch (error.reason._tag) {
    case "ConnectionError": {
      const usual = said === undefined ? silent : "it refuses the connection"
      return `The database cannot be reached (${place}): ${reason ?? usual}.${words}`
    }
    case "AuthenticationError":
      return `The database ${place} rejects the user or the password.${words}`
    case "AuthorizationError": {
      const grant = grantFor(location, said ?? "")
      return `The user of the database ${place} lacks a permission.${words}${grant}`
    }
    default: {
      const usual = said === undefined ? error.message : "it refuses a statement"
      return `The database ${place} cannot be opened or written: ${reason ?? usual}.${words}`
    }
  }
}

const silent = "it did not answer in time, or has no free sessions"

/** Explains an error from the database or from a store. */
export const databaseSentence = (location: DatabaseLocation, error: SqlError.SqlError): string =>
  location._tag === "Postgres"
    ? serverSentence(location, error)
    : fileSentence(placeOf(location), error)

/** Explains a failed migration. */
const migrationSentence = (
  location: DatabaseLocation,
  error: Migrations.MigrationError,
  schemaName?: string
): string => {
  const failed = causesOf(error.cause).find(SqlError.isSqlError)
  const message = schemaName === undefined ? error.message : error.toSentence(schemaName)
  return failed === undefined
    ? `${message} The database is ${placeOf(location)}.`
    : `${message} ${databaseSentence(location, failed)}`
}

/**
 * Explains a database error; returns undefined for any other error. `schemaName` is the host's name
 * for the setting of the schema.
 */
export const explainDatabaseError = (
  location: DatabaseLocation,
  fault: unknown,
  schemaName?: string
): string | undefined => {
  if (fault instanceof Migrations.MigrationError) {
    return migrationSentence(location, fault, schemaName)
  }
  const error = causesOf(fault).find(SqlError.isSqlError)
  return error === undefined ? undefined : databaseSentence(location, error)
}
