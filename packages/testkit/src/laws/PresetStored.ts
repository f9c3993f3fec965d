/**
 * Whether a store ends up with what a history of writers says.
 */
import { PresetStore } from "@verbatim/core/ports"
import type { Named, PresetVersion } from "@verbatim/core/preset"
import type { Presets } from "@verbatim/core/services"
import { DateTime, Effect, Option } from "effect"
import * as Expect from "../contracts/Expect.ts"
import { upTo } from "../samples/Ids.ts"
import { designationsOf, labelMovesOf, versionsOf } from "../samples/SamplePreset.ts"
import * as History from "./PresetHistory.ts"
import * as Past from "./PresetPast.ts"

type Service = Presets["Service"]

/** The numbers of versions. */
export const numbersOf = (versions: ReadonlyArray<PresetVersion>): ReadonlyArray<number> =>
  versions.map(({ version }) => version)

/** Answers that show the designated version. */
const isAboutDesignated = (command: History.Command): boolean =>
  command._tag === "Designate" ||
  command._tag === "Revise" ||
  ((command._tag === "Create" || command._tag === "Derive") && !command.stage)

/** Stored versions, each erased by whom the history takes for it, where it may be so. */
const ascribeErasures = (
  steps: ReadonlyArray<History.Step>,
  versions: ReadonlyArray<PresetVersion>
): ReadonlyArray<PresetVersion> =>
  versions.map((version) => {
    const expected = Past.toStored(steps)(version).erased
    const makers = steps.flatMap(({ attempt: { command }, makers }) =>
      command._tag === "Erase" && command.version === version.version ? makers : []
    )
    const isTheirs = version.erased !== null && makers.includes(version.erased.by)
    return isTheirs && expected !== null && version.erased !== null
      ? { ...version, erased: { ...version.erased, by: expected.by } }
      : version
  })

/** What each version must say: a version that is made of another one differs in a field. */
const configsOf = (
  created: ReadonlyArray<History.Step>,
  steps: ReadonlyArray<History.Step>
): Array<PresetVersion["config"] | undefined> => {
  const configs: Array<PresetVersion["config"] | undefined> = []
  for (const step of created) {
    const { answer, command } = step.attempt
    if (command._tag === "Derive") {
      const before = steps[steps.indexOf(step) - 1]?.preset.designatedVersion ?? 0
      const from = configs[(command.from ?? before) - 1]
      configs.push({ ...from, [command.field]: command.value })
    } else configs.push(answer.version?.config)
  }
  return configs
}

/** The latest instant, which need not be that of the last step: writers look at the clock first. */
const latestOf = (steps: ReadonlyArray<History.Step>): DateTime.Utc =>
  steps.reduce(
    (latest, { preset }) => DateTime.max(latest, preset.updatedAt),
    DateTime.makeUnsafe(0)
  )

/** Fails unless the store ends up with what the history says. */
export const expectStored = Effect.fnUntraced(function* (
  presets: Service,
  { steps, ...named }: Named & { readonly steps: ReadonlyArray<History.Step> }
) {
  const last = steps.at(-1)
  if (last === undefined) return
  const store = yield* PresetStore
  const { preset } = last
  const { id } = preset
  const found = yield* presets.get(named)
  yield* Expect.that("the preset is as the last change left it", found.preset).is(preset)
  const answered = (list: ReadonlyArray<History.Step>) =>
    list.flatMap(({ attempt }) => attempt.answer.version ?? []).map(Past.toStored(steps))
  const created = steps.filter(({ attempt }) => History.makesVersion(attempt.command))
  yield* Expect.that(
    "a version has what was set, and all else of the one it was made from",
    created.map(({ attempt }) => attempt.answer.version?.config)
  ).is(configsOf(created, steps))
  const versions = yield* versionsOf(id)
  yield* Expect.that(
    "versions are dense, each as its writer was told, or erased since",
    ascribeErasures(steps, versions)
  ).is(answered(created))
  yield* Expect.that("versions are numbered", numbersOf(versions)).is(upTo(versions.length))
  const designating = steps.filter(({ attempt: { command } }) => isAboutDesignated(command))
  yield* Expect.that(
    "every such answer had the version that it designated",
    numbersOf(answered(designating))
  ).is(designating.map((step) => step.preset.designatedVersion))
  yield* Expect.that(
    "the designations follow from the changes",
    Past.ascribe(steps, yield* designationsOf(id))
  ).is(Past.designationsOf(steps))
  for (const label of History.labels) {
    yield* Expect.that(
      `the moves of ${label} follow from the changes`,
      Past.ascribe(steps, yield* labelMovesOf(id, label))
    ).is(Past.labelMovesOf(steps, label))
  }
  yield* Expect.that(
    "what is designated now was designated last",
    yield* store.designatedAt(id, latestOf(steps))
  ).is(Option.some(found.version))
})
