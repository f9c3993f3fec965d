/** Refuses in the form of the preset errors: the error names the user of the key. */
import { Effect } from "effect"
import { Sender } from "../Authentication.ts"
import { makePresetError, type PresetError, type PresetStatus } from "../ErrorBody.ts"

/** Refuses with a sentence. */
export const refuse = <const Status extends PresetStatus>(
  status: Status,
  message: string
): Effect.Effect<never, PresetError<Status>, Sender> =>
  Effect.flatMap(Sender, ({ userId }) => Effect.fail(makePresetError(status, { message, userId })))

/** Refuses with the refusal's own sentence. */
export const refuseAs =
  <const Status extends PresetStatus>(status: Status) =>
  ({ message }: { readonly message: string }) =>
    refuse(status, message)
