/**
 * Our server as `npm start` runs it, for requests alone.
 */
import { fileURLToPath } from "node:url"
import type { ServerCommand } from "./ServerChild.ts"

/** Where it keeps things, and who may write. */
export interface OurServer {
  readonly directory: string
  readonly databaseUrl: string
  readonly key: string
  /** For Node, beside those of `npm start`. */
  readonly flags?: ReadonlyArray<string>
}

/** The command that starts it. */
export const ourServer = ({
  databaseUrl,
  directory,
  flags = [],
  key
}: OurServer): ServerCommand => ({
  args: [
    "--conditions=@verbatim/source",
    "--min-semi-space-size=16",
    "--max-semi-space-size=16",
    ...flags,
    fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url)),
    "serve"
  ],
  environment: {
    VERBATIM_PORT: "0",
    VERBATIM_ROLES: "http",
    VERBATIM_DATA_DIR: directory,
    VERBATIM_DATABASE_URL: databaseUrl,
    VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: key
  }
})
