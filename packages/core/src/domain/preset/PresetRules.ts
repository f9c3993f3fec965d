/**
 * What a caller and a preset must meet before anything changes, and how often a change is tried.
 */
import { Duration, Effect, Schedule } from "effect"
import type { Preset } from "./Preset.ts"
import { statuses } from "./PresetChange.ts"
import type { Named } from "./PresetCommand.ts"
import { ManagementKeyRequired, PresetInactive } from "./PresetRefusal.ts"
import * as PresetSlug from "./PresetSlug.ts"

/**
 * Tries after the first, when writers in several processes get in each other's way; those of one
 * process take turns. A hundred span a second. Then the caller hears of it.
 */
export const changeRetries = {
  times: 100,
  schedule: Schedule.jittered(Schedule.spaced(Duration.millis(10)))
}

/** The slug, for a caller who may write it. */
export const writable = Effect.fnUntraced(function* ({ principal, slug }: Named) {
  if (principal.kind !== "management") return yield* new ManagementKeyRequired()
  return yield* Effect.fromResult(PresetSlug.decode(slug))
})

/** The refusal of what only an active preset allows. */
export const refuseInactive = (preset: Preset) =>
  new PresetInactive({ slug: preset.slug, status: statuses[preset._tag] })
