/**
 * Jobs in SQL: a job, its history, its transcript and the work it owes, written by one transaction.
 */

import type { JobId } from "@verbatim/core/domain/attempt/JobId"
import type { IdempotencyKey } from "@verbatim/core/domain/idempotency/IdempotencyKey"
import type { WorkspaceId } from "@verbatim/core/domain/workspace/Workspace"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { traced } from "@verbatim/core/services/Traced"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import * as IdempotencyRows from "./IdempotencyRows.ts"
import { committing } from "./JobCommits.ts"
import { failing } from "./JobFailure.ts"
import { jobFormat } from "./JobFormat.ts"
import { inserting } from "./JobInserts.ts"
import { finding, listing, removing } from "./JobReads.ts"
import { readEntry, readJob, readTranscript } from "./JobRows.ts"
import * as KeptBodies from "./KeptBodies.ts"
import * as MediaMarkRow from "./MediaMarkRow.ts"
import { ReservedSessions } from "./ReservedSessions.ts"
import { orNone, type Row } from "./Row.ts"
import { storeMillis } from "./StoreTime.ts"
import { readingParts } from "./TranscriptReads.ts"
import { transcriptText } from "./TranscriptRows.ts"

interface PresentRow {
  readonly id: JobId
  readonly format: number
  readonly state: unknown
}

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<JobStore, never, SqlClient.SqlClient> = Layer.effect(JobStore)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.forkScoped(IdempotencyRows.sweeping(sql))

    const idempotency = traced("SqlJobStore.idempotency")(
      (workspaceId: WorkspaceId, key: IdempotencyKey) =>
        failing("idempotency")(IdempotencyRows.find(sql, { workspaceId, key }))
    )

    const progress = traced("SqlJobStore.progress")(function* (id: JobId) {
      const [row] = yield* sql<{ readonly progress: number | null }>`
        SELECT progress FROM work WHERE job_id = ${id}`.pipe(failing("progress"))
      return Option.map(Option.fromNullishOr(row?.progress), (thousandths) => thousandths / 1_000)
    })

    const textOf = transcriptText(sql)

    const transcript = traced("SqlJobStore.transcript")(function* (id: JobId) {
      const text = yield* textOf(id)
      if (Option.isNone(text)) return Option.none()
      return Option.some(yield* readTranscript(text.value, `transcript_chunks ${id}`))
    }, failing("transcript"))

    const transcriptPart = traced("SqlJobStore.transcriptPart")(
      readingParts(sql),
      failing("transcriptPart")
    )

    const history = traced("SqlJobStore.history")(function* (id: JobId) {
      const rows = yield* sql<Row>`SELECT revision, at, token, events FROM job_history
        WHERE job_id = ${id} ORDER BY revision`
      return yield* Effect.forEach(rows, (row) =>
        readEntry(row, `job_history ${id} ${row.revision}`)
      )
    }, failing("history"))

    const present = traced("SqlJobStore.present")(function* (ids: ReadonlyArray<JobId>) {
      const rows = yield* sql<PresentRow>`
        SELECT id, format, state FROM jobs WHERE ${Dialect.isAmong(sql, "id", ids)}`.pipe(
        failing("present")
      )
      const jobs = yield* Effect.forEach(rows, ({ format, id, state }) => {
        const job = format > jobFormat ? Effect.succeedNone : orNone(readJob(state, `jobs ${id}`))
        return Effect.map(job, (read) => [id, read] as const)
      })
      return new Map(jobs)
    })

    return JobStore.of({
      mediaMark: MediaMarkRow.find(sql).pipe(failing("mediaMark")),
      adoptMedia: traced("SqlJobStore.adoptMedia")((marker: string) =>
        MediaMarkRow.insert(sql, marker).pipe(failing("adoptMedia"))
      ),
      now: Effect.map(storeMillis(sql), DateTime.makeUnsafe).pipe(failing("now")),
      insert: inserting(sql),
      idempotency,
      find: finding(sql),
      list: listing(sql),
      remove: removing(sql),
      commit: committing(sql, yield* ReservedSessions),
      progress,
      transcript,
      transcriptPart,
      history,
      keptBody: traced("SqlJobStore.keptBody")((id) =>
        failing("keptBody")(KeptBodies.find(sql, id))
      ),
      present
    })
  })
)
