/** Which database an operator means: by a URL, which may hold a password and so is never shown. */
import { join } from "node:path"
import type { PostgresClient } from "@verbatim/adapters/postgres"
import { Config, Duration, Redacted } from "effect"
import { number, secretOf } from "./settings/Setting.ts"

/** Where the database is. */
export type DatabaseLocation =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | ({ readonly _tag: "Postgres" } & PostgresClient.PostgresClientConfig)
  | { readonly _tag: "Memory" }

const isDatabaseUrl = (url: string): boolean =>
  /^(?:sqlite:.+|memory:)$/.test(url) || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))

const url = secretOf("DATABASE_URL", isDatabaseUrl).pipe(Config.withDefault(Redacted.make("")))

/** The location by its variables. Without a URL it is a file in the data directory. */
export const databaseLocation: Config.Config<(dataDirectory: string) => DatabaseLocation> =
  Config.all({
    url,
    connectionsMax: number("DATABASE_CONNECTIONS"),
    connectSeconds: number("DATABASE_CONNECT_SECONDS"),
    statementSeconds: number("DATABASE_STATEMENT_SECONDS")
  }).pipe(
    Config.map(({ connectionsMax, connectSeconds, statementSeconds, url }) => (dataDirectory) => {
      const text = Redacted.value(url)
      if (text === "") return { _tag: "Sqlite", filename: join(dataDirectory, "verbatim.db") }
      if (text === "memory:") return { _tag: "Memory" }
      if (text.startsWith("sqlite:")) {
        return { _tag: "Sqlite", filename: text.slice("sqlite:".length) }
      }
      return {
        _tag: "Postgres",
        url,
        connectionsMax,
        connectTimeout: Duration.seconds(connectSeconds),
        statementTimeout: Duration.seconds(statementSeconds)
      }
    })
  )
