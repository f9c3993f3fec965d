/**
 * What the services refuse, as the door says it.
 */
import { PresetStoreError, WorkspaceStoreError } from "@verbatim/core/ports"
import { Effect } from "effect"
import { DoorRefusal } from "./PresetDoor.ts"

const missing: ReadonlySet<string> = new Set(["LabelNotFound", "PresetNotFound", "VersionNotFound"])

const reasonOf = (tag: string): DoorRefusal["reason"] => {
  if (missing.has(tag)) return "NotFound"
  return tag === "ConditionFailed" ? "Changed" : "Refused"
}

/** What is refused becomes a sentence; a database that does not answer stays what it is: loud. */
export const refuse = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  doing: Effect.Effect<A, E, R>
): Effect.Effect<A, DoorRefusal, R> =>
  Effect.catch(doing, (error): Effect.Effect<never, DoorRefusal> => {
    if (error instanceof DoorRefusal) return Effect.fail(error)
    if (error instanceof WorkspaceStoreError) return Effect.die(error)
    if (!(error instanceof PresetStoreError)) {
      return Effect.fail(new DoorRefusal({ reason: reasonOf(error._tag), sentence: error.message }))
    }
    const { _tag } = error.reason
    if (_tag === "Unavailable") return Effect.die(error)
    return Effect.fail(new DoorRefusal({ reason: "Refused", sentence: `The store says: ${_tag}` }))
  })
