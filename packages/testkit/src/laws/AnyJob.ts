/**
 * Jobs as a worker can have left them. Half of them have ended but for their notice: of states
 * drawn one by one hardly any have, and what is legal then would seldom be tried.
 */
import * as Delivery from "@verbatim/core/delivery"
import type { Job } from "@verbatim/core/job"
import * as Notice from "@verbatim/core/notice"
import * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"

/**
 * Whether a worker can have left the job like this: a machine that waits has not begun, and nothing
 * of a job has gone that has not ended.
 */
const isPossible = (job: Job): boolean => {
  const { delivery, keeping, notice, summary, transcription } = job
  const isSummaryTurn = Transcription.isTerminal(transcription)
  const isDeliveryTurn = isSummaryTurn && (summary === null || Summary.isTerminal(summary))
  const isNoticeTurn = isDeliveryTurn && (delivery === null || Delivery.isTerminal(delivery))
  const isOver = isNoticeTurn && (notice === undefined || Notice.isTerminal(notice))
  return (
    (isSummaryTurn || summary === null || summary._tag === "Waiting") &&
    (isDeliveryTurn || delivery === null || delivery._tag === "Waiting") &&
    (isNoticeTurn || notice === undefined || notice._tag === "Waiting") &&
    (isOver || (keeping?._tag ?? "Kept") === "Kept")
  )
}

const { Failed, Transcribed } = Transcription.State.cases
const summaries = Summary.State.cases
const deliveries = Delivery.State.cases

/** Where each machine ends. */
const ends = {
  transcription: Arbitrary.schema(Schema.Union([Transcribed, Failed])),
  summary: Arbitrary.schema(
    Schema.Union([summaries.Completed, summaries.Skipped, summaries.Failed])
  ),
  delivery: Arbitrary.schema(Schema.Union([deliveries.Delivered, deliveries.Failed]))
}

/** Any job that is over, but for its notice, which may be anywhere, if there is one. */
const settledJob = (schema: Schema.Codec<Job, unknown>): Arbitrary.Arbitrary<Job> =>
  Arbitrary.map(
    Arbitrary.all({
      job: Arbitrary.schema(schema),
      ...ends,
      notice: Arbitrary.schema(Notice.State),
      isNoticed: Arbitrary.schema(Schema.Boolean)
    }),
    ({ delivery, isNoticed, job, notice, summary, transcription }) => {
      const { keeping, notice: _, ...rest } = job
      const settled = {
        ...rest,
        transcription,
        summary: job.summary && summary,
        delivery: job.delivery && delivery,
        ...(isNoticed ? { notice } : {})
      }
      const isOver = !isNoticed || Notice.isTerminal(notice)
      return keeping === undefined || !isOver ? settled : { ...settled, keeping }
    }
  )

/** Any job that is possible. */
export const anyJob = (schema: Schema.Codec<Job, unknown>): Arbitrary.Arbitrary<Job> => {
  const wild = Arbitrary.filter(Arbitrary.schema(schema), isPossible)
  const settled = Arbitrary.filter(settledJob(schema), isPossible)
  return Arbitrary.flatMap(Arbitrary.schema(Schema.Boolean), (isSettled) =>
    isSettled ? settled : wild
  )
}
