/** Our server as `npm start` runs it, without a worker unless the environment enables one. */
import { fileURLToPath } from "node:url"
import type { ServerCommand } from "./ServerChild.ts"

/** The server's data directory, database and management key. */
export interface OurServer {
  readonly directory: string
  readonly databaseUrl: string
  readonly key: string
  /** Environment variables that take precedence over the settings here. */
  readonly environment?: Readonly<Record<string, string>>
}

const program = new URL("../packages/server/src/main.ts", import.meta.url)

/** Returns the command that starts the server. */
export const ourServer = ({
  databaseUrl,
  directory,
  environment = {},
  key
}: OurServer): ServerCommand => ({
  args: [
    "--conditions=@verbatim/source",
    "--min-semi-space-size=16",
    "--max-semi-space-size=16",
    fileURLToPath(program),
    "serve"
  ],
  environment: {
    VERBATIM_PORT: "0",
    VERBATIM_ROLES: "http",
    VERBATIM_DATA_DIR: directory,
    VERBATIM_DATABASE_URL: databaseUrl,
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key,
    ...environment
  }
})
