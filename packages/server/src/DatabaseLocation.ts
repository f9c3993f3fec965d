/** Which database an operator means: by a URL, which may hold a password and so is never shown. */
import { join } from "node:path"
import { TableNames } from "@verbatim/adapters/sql"
import type { DatabaseLocation } from "@verbatim/embed/trouble"
import { Config, Duration, Option, Redacted } from "effect"
import { number, secretOf, textOf } from "./settings/Setting.ts"

export type { DatabaseLocation }

/** What the URL of a database that outlives its process looks like. */
export const urlForms = "sqlite:<file> or postgres://<user>:<password>@<host>/<database>"

const isDatabaseUrl = (url: string): boolean =>
  /^(?:sqlite:.+|memory:)$/.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))

const url = secretOf("DATABASE_URL", isDatabaseUrl).pipe(Config.withDefault(Redacted.make("")))

/** What the choices of names are called here, for sentences. */
export const choiceVariables = {
  tablePrefix: "VERBATIM_TABLE_PREFIX",
  schema: "VERBATIM_DATABASE_SCHEMA"
} as const

/** A name that is not set is none. */
const nameOf = (variable: "DATABASE_SCHEMA" | "TABLE_PREFIX", is: (text: string) => boolean) =>
  textOf(variable, (text) => text === "" || is(text)).pipe(Config.withDefault(""))

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
    schema: nameOf("DATABASE_SCHEMA", TableNames.isSchema),
    tablePrefix: nameOf("TABLE_PREFIX", TableNames.isPrefix),
    connectionsMax: number("DATABASE_CONNECTIONS"),
    connectSeconds: number("DATABASE_CONNECT_SECONDS"),
    statementSeconds: number("DATABASE_STATEMENT_SECONDS")
  }).pipe(
    Config.map(({ connectSeconds, schema, statementSeconds, url, ...rest }) => (dataDirectory) => {
      const file: DatabaseLocation = {
        _tag: "Sqlite",
        filename: join(dataDirectory, "verbatim.db")
      }
      const location = Option.getOrElse(locationOf(url), () => file)
      const { connectionsMax, tablePrefix } = rest
      if (location._tag === "Memory") return location
      if (location._tag === "Sqlite") return { ...location, tablePrefix }
      return {
        ...location,
        tablePrefix,
        ...(schema === "" ? {} : { schema }),
        connectionsMax,
        connectTimeout: Duration.seconds(connectSeconds),
        statementTimeout: Duration.seconds(statementSeconds)
      }
    })
  )
