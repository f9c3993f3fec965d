/** An article and the transcript of its recording: both are written, or neither. */
import type { Job, Verbatim } from "@verbatim/embed"
import type { Pool } from "pg"

/** Hands in a recording within the transaction that writes the article. */
export const publish = async (
  { pool, verbatim }: { readonly pool: Pool; readonly verbatim: Verbatim },
  { media, title }: { readonly title: string; readonly media: URL }
): Promise<Job> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const job = await verbatim.within(client).transcribe({ media, workspace: "acme" })
    await client.query("INSERT INTO articles (title, job) VALUES ($1, $2)", [title, job.id])
    await client.query("COMMIT")
    return job
  } catch (fault) {
    await client.query("ROLLBACK")
    throw fault
  } finally {
    client.release()
  }
}
