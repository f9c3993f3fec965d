/**
 * What a caller and a preset must meet before anything changes, and how often a change is tried.
 */
import { Duration, Effect, Schedule } from "effect"
import { type Event, type Preset, transition } from "./Preset.ts"
import { statuses } from "./PresetChange.ts"
import type { Named } from "./PresetCommand.ts"
import { ManagementKeyRequired, PresetInactive } from "./PresetRefusal.ts"
import * as PresetSlug from "./PresetSlug.ts"

/** Tries after the first, when writers get in each other's way. Then the caller hears of it. */
export const changeRetries = {
  times: 10,
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

/** The preset after an event, where its status allows that. */
export const applyEvent = (preset: Preset, event: Event) =>
  Effect.mapError(Effect.fromResult(transition(preset, event)), () => refuseInactive(preset))
