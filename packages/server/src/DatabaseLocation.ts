/** Which database an operator means: by a URL, which may hold a password and so is never shown. */
import { join } from "node:path"
import { SchemaName } from "@verbatim/adapters/sql"
import type { DatabaseLocation } from "@verbatim/embed/trouble"
import { Config, Duration, Option, Redacted } from "effect"
import { number, secretOf, textOf } from "./settings/Setting.ts"

export type { DatabaseLocation }

/** What the URL of a database that outlives its process looks like. */
export const urlForms = "sqlite:<file> or postgres://<user>:<password>@<host>/<database>"

const isDatabaseUrl = (url: string): boolean =>
  /^(?:sqlite:.+|memory:)$/.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))

const url = secretOf("DATABASE_URL", isDatabaseUrl).pipe(Config.withDefault(Redacted.make("")))

/** The name of the setting of the schema, for sentences. */
export const schemaVariable = "VERBATIM_DATABASE_SCHEMA"

const schema = textOf("DATABASE_SCHEMA", (text) => text === "" || SchemaName.isSchema(text)).pipe(
  Config.withDefault("")
)

/** The location that a URL names; none where it is no URL of a database. */
export const locationOf = (url: Redacted.Redacted): Option.Option<DatabaseLocation> => {
  const text = Redacted.value(url)
  if (!isDatabaseUrl(text)) return Option.none()
  if (text === "memory:") return Option.some({ _tag: "Memory" })
  return text.startsWith("sqlite:")
    ? Option.some({ _tag: "Sqlite", filename: text.slice("sqlite:".length) })
    : Option.some({ _tag: "Postgres", url })
}

/** The location by its variables. Without a URL it is a file in the data directory. */
export const databaseLocation: Config.Config<(dataDirectory: string) => DatabaseLocation> =
  Config.all({
    url,
    schema,
    connectionsMax: number("DATABASE_CONNECTIONS"),
    connectSeconds: number("DATABASE_CONNECT_SECONDS"),
    statementSeconds: number("DATABASE_STATEMENT_SECONDS")
  }).pipe(
    Config.map((given) => (dataDirectory) => {
      const { connectionsMax, connectSeconds, schema, statementSeconds, url } = given
      const file: DatabaseLocation = {
        _tag: "Sqlite",
        filename: join(dataDirectory, "verbatim.db")
      }
      const location = Option.getOrElse(locationOf(url), () => file)
      if (location._tag !== "Postgres") return location
      return {
        ...location,
        ...(schema === "" ? {} : { schema }),
        connectionsMax,
        connectTimeout: Duration.seconds(connectSeconds),
        statementTimeout: Duration.seconds(statementSeconds)
      }
    })
  )
