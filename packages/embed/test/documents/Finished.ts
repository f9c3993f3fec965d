/** Records the end of a job once in one of the host's tables, however often it is called. */
import type { DatabaseSync } from "node:sqlite"
import type { OnFinished } from "@verbatim/embed"

/** The id is the same in all attempts, so the table accepts it once. */
export const writeDown =
  (database: DatabaseSync): OnFinished =>
  async (job, { id }) => {
    database
      .prepare("INSERT INTO ended (id, job, status) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
      .run(id, job.id, job.status)
  }
