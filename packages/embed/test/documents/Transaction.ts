/** Writes both an article and the job for its recording, or neither of them. */
import type { Embedded } from "@verbatim/embed"
import type { Pool } from "pg"

/** Submits a recording within the transaction that writes the article. */
export const publish = async (
  { acme, pool }: { readonly pool: Pool; readonly acme: Embedded },
  { path, title }: { readonly title: string; readonly path: string }
): Promise<string> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const { id } = await acme.within(client).transcriptions.create({ path })
    await client.query("INSERT INTO articles (title, job) VALUES ($1, $2)", [title, id])
    await client.query("COMMIT")
    return id
  } catch (fault) {
    await client.query("ROLLBACK")
    throw fault
  } finally {
    client.release()
  }
}
