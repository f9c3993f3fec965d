/** Records the end of a job in the host's table only once, even after repeated calls. */
import type { DatabaseSync } from "node:sqlite"
import type { OnFinished } from "@verbatim/embed"

/** All calls for the same end of a job have the same id, so the table stores each end only once. */
export const writeDown =
  (database: DatabaseSync): OnFinished =>
  async (job, { id }) => {
    database
      .prepare("INSERT INTO ended (id, job, status) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
      .run(id, job.id, job.status)
  }
