/** The end of a job, written down once in a table of the host, however often it is called. */
import type { DatabaseSync } from "node:sqlite"
import type { OnFinished } from "@verbatim/embed"

/** The id of a call is the same in all attempts: the table takes it once. */
export const writeDown =
  (database: DatabaseSync): OnFinished =>
  async (job, { id }) => {
    database
      .prepare("INSERT INTO ended (id, job, status) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
      .run(id, job.id, job.status)
  }
