/** Makes and records calls to the preset service. */
import { PresetStore } from "@verbatim/core/ports"
import { targetOf } from "@verbatim/core/preset"
import { LabelName, type Principal } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import {
  asHolder,
  describeAnswer,
  makePresets,
  readKept,
  sendCommand
} from "../../model/PresetCommands.ts"
import { type Command, format } from "../../model/PresetModel.ts"
import { presetChangeId, upTo, userId, workspaceId } from "../../samples/Ids.ts"
import { findPreset, moveLabel, revisionOf } from "../../samples/SamplePreset.ts"
import type { Caller, Recorder } from "./Recorder.ts"

/** Number of services per process. Each service serializes its own changes to a preset. */
const serviceCount = 4

const principal: Principal = {
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(1)
}

interface LateMove {
  readonly slug: string
  readonly label: string
  readonly protect: Effect.Effect<unknown>
}

/** Builds the calls to the preset services of a process. */
export const presetCalls = Effect.fnUntraced(function* (recorder: Recorder) {
  const store = yield* PresetStore
  const services = yield* Effect.forEach(upTo(serviceCount), () => makePresets(store))

  /** Commands that protect or unprotect a label affect all presets, so their slug is empty. */
  const call = (
    caller: Caller,
    command: Command,
    { isHolder = false, slug = "" }: { readonly slug?: string; readonly isHolder?: boolean } = {}
  ) => {
    const named = { slug, principal: isHolder ? asHolder(principal) : principal }
    const answer = Effect.map(sendCommand(caller.dice.pick(services), command, named), (answer) =>
      describeAnswer(command, answer)
    )
    return recorder.record(caller, { call: "preset", input: { slug, command, isHolder }, answer })
  }

  /** Reads everything stored about a preset. */
  const list = (caller: Caller, slug: string) =>
    recorder.record(caller, {
      call: "preset",
      input: { slug, command: { _tag: "List" }, isHolder: false },
      answer: Effect.map(readKept(workspaceId(1), slug), format.kept).pipe(
        Effect.provideService(PresetStore, store)
      )
    })

  /**
   * Moves a label as a service would that decided before the label was protected and paused before
   * its write. The move must be refused, but the reason can vary, because the preset may have
   * changed.
   */
  const moveLate = Effect.fnUntraced(
    function* (caller: Caller, { label, protect, slug }: LateMove) {
      const found = yield* Effect.option(findPreset(slug))
      const { preset, version } = Option.getOrUndefined(Option.flatten(found)) ?? {}
      yield* protect
      if (preset === undefined || version === undefined || preset._tag === "Archived") return
      if (targetOf(preset.labels, LabelName.make(label))?.version === version.version) return
      const revision = revisionOf(preset, { event: moveLabel(label, version), isFree: true })
      const id = recorder.number()
      const answer = store.revise({ ...revision, id: presetChangeId(id) }).pipe(
        Effect.as(format.preset(revision.next, version)),
        Effect.mapError((error) =>
          error.reason._tag === "Superseded" ? { _tag: "NotWritten" as const } : error
        )
      )
      const command = { _tag: "MoveLabel" as const, label, version: version.version }
      const input = { slug, command, isHolder: false }
      yield* recorder.record(caller, { call: "preset", input, answer, id })
    },
    Effect.provideService(PresetStore, store)
  )

  return { call, list, moveLate }
})
