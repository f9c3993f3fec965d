/**
 * Tests that a host without Effect compiles against the published packages: with their
 * declarations, with checked library types, and without browser types.
 */
import { open, presetFetch, VerbatimError } from "@verbatim/embed"
import { openai } from "@verbatim/embed/engines"
import { fromKysely } from "@verbatim/embed/transactions"

export const start = async () => {
  const verbatim = await open({
    database: process.env.DATABASE_URL ?? "sqlite:app.db",
    transcribe: openai({ apiKey: "sk-x" }),
    authenticate: () => ({ workspace: "ann", kind: "inference" }),
    onFinished: (job, { workspace }) => console.log(job.status, workspace.name)
  })
  const ann = verbatim.as({ workspace: "ann", kind: "management" })
  return { verbatim, ann, fetch: presetFetch(fetch, { verbatim }) }
}

export const note = async ({ ann }: Awaited<ReturnType<typeof start>>) => {
  const { id } = await ann.transcriptions.create({ path: "meeting.mp3", summary: "brief" })
  const job = await ann.transcriptions.wait(id, { onProgress: ({ progress }) => progress })
  const { list } = await ann.transcriptions.result(id, "plain_json")
  for await (const { slug } of ann.presets.list({ status: "active" })) console.log(slug)
  return { list, summary: job.summary_status }
}

export const isMissing = (error: unknown): boolean =>
  error instanceof VerbatimError && error.status === 404

// @ts-expect-error A preset has no such field.
export const wrong = async () => (await (await start()).ann.presets.get("notes")).sluh

export const { within } = { within: fromKysely }
