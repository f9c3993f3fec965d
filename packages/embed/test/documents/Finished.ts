/** A job that is over, written down once in a table of the host, however often it is told. */
import type { DatabaseSync } from "node:sqlite"
import type { Finished } from "@verbatim/embed"

/** The id of a call is the same in all attempts: the table takes it once. */
export const writeDown =
  (database: DatabaseSync): Finished =>
  async (job, { id }) => {
    database
      .prepare("INSERT INTO told (id, job, state) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
      .run(id, job.id, job.transcription.state)
  }
