/**
 * The folder of media where the host names none. It is named after the database, so that two
 * databases of one program never share it.
 */
import { join } from "node:path"
import type { Options } from "../Options.ts"

const nameIn = (url: string): ReadonlyArray<string> => {
  const { pathname = "" } = URL.canParse(url) ? new URL(url) : {}
  return pathname.split("/").filter((part) => part !== "")
}

/** The default folder of a database that outlives its process. */
export const usualMediaFolder = ({
  database,
  schema
}: Pick<Options, "database" | "schema">): string => {
  if (typeof database !== "string") return join(".verbatim", "media")
  const file = /^sqlite:(.+)$/s.exec(database)?.[1]
  // As SQLite names its own files, `<file>-wal` and `<file>-shm`.
  if (file !== undefined) return `${file}-media`
  const own = schema === undefined ? [] : [encodeURIComponent(schema)]
  return join(".verbatim", ...nameIn(database), ...own, "media")
}
