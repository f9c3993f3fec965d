/** Deletes a job only if it still has one of the required statuses. */
import { Option, Result, Schema, Struct } from "effect"
import { refusal } from "../schema/Refusal.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import { LegacyStatus } from "./JobView.ts"

/** The statuses before the end of a transcription, and after it. */
const statuses = {
  UNTRANSCRIBED: ["ACCEPTED", "IN_QUEUE", "IN_PROGRESS"],
  ENDED: ["TRANSCRIBED", "COMPLETED", "FAILED", "WEBHOOK_DELIVERED", "WEBHOOK_FAILED"]
} as const satisfies Record<string, ReadonlyArray<LegacyStatus>>

/** The required status for a deletion: the transcription has not ended yet, or it has ended. */
export const RequiredStatus = Schema.Literals(Struct.keys(statuses))

const decode = Schema.decodeUnknownOption(RequiredStatus)

/**
 * Returns the statuses that permit a deletion; undefined if any status does, which is the default.
 * An empty text is invalid, because a caller with an empty variable meant to set a condition.
 */
export const parseRequiredStatus = (
  text?: string
): Result.Result<ReadonlyArray<LegacyStatus> | undefined, InvalidParameter> =>
  text === undefined
    ? Result.succeed(undefined)
    : Option.match(decode(text), {
        onNone: () => {
          const detail = `Must be one of ${RequiredStatus.literals.join(", ")}`
          return Result.fail(
            new InvalidParameter({
              parameter: "if_status",
              detail: `Invalid 'if_status' value. ${detail}`
            })
          )
        },
        onSome: (required) => Result.succeed(statuses[required])
      })

/** The job does not have the required status, so it was not deleted. */
export class StatusChanged extends refusal<StatusChanged>()("StatusChanged", {
  fields: { status: LegacyStatus },
  sentence: ({ status }) => `The status of the transcription is ${status}`
}) {}
