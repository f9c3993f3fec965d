/** Reads the location of the database. The URL can contain a password, so it is never shown. */
import { join } from "node:path"
import { SchemaName } from "@verbatim/adapters/sql"
import type { DatabaseLocation } from "@verbatim/embed/trouble"
import { Config, Duration, Option, Redacted } from "effect"
import { number, secretOf, textOf } from "./settings/Setting.ts"

export type { DatabaseLocation }

export type StoredLocation = Exclude<DatabaseLocation, { readonly _tag: "Memory" }>

/** The accepted forms of a database URL, for messages. */
export const urlForms = "sqlite:<file> or postgres://<user>:<password>@<host>/<database>"

const isDatabaseUrl = (url: string): boolean =>
  /^(?:sqlite:.+|memory:)$/.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))

const url = secretOf("DATABASE_URL", isDatabaseUrl).pipe(Config.withDefault(Redacted.make("")))

/** The variable that sets the schema, for error messages. */
export const schemaVariable = "VERBATIM_DATABASE_SCHEMA"

const schema = textOf("DATABASE_SCHEMA", (text) => text === "" || SchemaName.isSchema(text)).pipe(
  Config.withDefault("")
)

/** Parses a database URL. Returns `none` if the text has no accepted form. */
export const locationOf = (url: Redacted.Redacted): Option.Option<DatabaseLocation> => {
  const text = Redacted.value(url)
  if (!isDatabaseUrl(text)) return Option.none()
  if (text === "memory:") return Option.some({ _tag: "Memory" })
  return text.startsWith("sqlite:")
    ? Option.some({ _tag: "Sqlite", filename: text.slice("sqlite:".length) })
    : Option.some({ _tag: "Postgres", url })
}

/**
 * Reads the location from its variables. If no URL is set, the database is a file in the data
 * directory.
 */
export const databaseLocation: Config.Config<(dataDirectory: string) => DatabaseLocation> =
  Config.all({
    url,
    schema,
    maxConnections: number("DATABASE_CONNECTIONS"),
    connectSeconds: number("DATABASE_CONNECT_SECONDS"),
    statementSeconds: number("DATABASE_STATEMENT_SECONDS")
  }).pipe(
    Config.map((given) => (dataDirectory) => {
      const { maxConnections, connectSeconds, schema, statementSeconds, url } = given
      const file: DatabaseLocation = {
        _tag: "Sqlite",
        filename: join(dataDirectory, "verbatim.db")
      }
      const location = Option.getOrElse(locationOf(url), () => file)
      if (location._tag !== "Postgres") return location
      return {
        ...location,
        ...(schema === "" ? {} : { schema }),
        maxConnections,
        connectTimeout: Duration.seconds(connectSeconds),
        statementTimeout: Duration.seconds(statementSeconds)
      }
    })
  )
