/** Two clients of one database, as in two processes, and what they do at the same time. */
import { assert } from "@effect/vitest"
import { JobStore, PresetStore, type Stores } from "@verbatim/core/ports"
import { PresetLaws } from "@verbatim/testkit/laws"
import {
  claimIds,
  creation,
  foundFirst,
  foundPreset,
  leaseToken,
  makeDraft,
  makeUploadJob,
  upTo,
  whole
} from "@verbatim/testkit/samples"
import { Context, Effect, Layer, Option } from "effect"
import { atOnce } from "../atOnce.ts"

/** The stores over each. */
export type TwoClients = readonly [one: Context.Context<Stores>, other: Context.Context<Stores>]

const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

/** Of many questions, every second one goes to the other client. */
const atBoth =
  <A, E>([one, other]: TwoClients, ask: (number: number) => Effect.Effect<A, E, Stores>) =>
  (number: number) =>
    Effect.provide(ask(number), number % 2 === 0 ? one : other)

/** The versions that the store has, of the preset that everybody appends to. */
const storedVersions = Effect.gen(function* () {
  const presets = yield* PresetStore
  const { preset, version } = Option.getOrThrow(yield* foundPreset())
  const versions = yield* presets.versions(preset.id, whole)
  assert.strictEqual(preset.latestVersion, versions.length)
  assert.strictEqual(version.version, versions.length)
  return versions.map(({ version }) => version)
})

/** 64 writers on each of them make 128 versions of one preset. */
export const givesDenseVersions = Effect.fnUntraced(function* (both: TwoClients) {
  const [one, other] = both
  yield* Effect.provide(foundFirst, one)
  const append = (number: number) =>
    Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(number)))
  const appended = yield* Effect.forEach(upTo(128), atBoth(both, append), atOnce)
  assert.deepStrictEqual(sorted(appended.map(({ version }) => version.version)), upTo(128))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, one), upTo(128))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, other), upTo(128))
})

/** What 40 claims for seven pieces of work each are given, when there are a hundred. */
export const claimedAtBoth = Effect.fnUntraced(function* (both: TwoClients) {
  const insert = (number: number) =>
    Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number))))
  yield* Effect.provide(Effect.forEach(upTo(100), insert, { discard: true }), both[0])
  const claim = (number: number) => claimIds(leaseToken(number), { limit: 7 })
  return yield* Effect.forEach(upTo(40), atBoth(both, claim), atOnce)
})

/** The two as doors of `Presets`; the workspaces and the final look use the first one. */
export const twoDoors = <E, R>(open: Effect.Effect<TwoClients, E, R>) =>
  Layer.effectContext(
    Effect.map(open, ([one, other]) =>
      Context.add(one, PresetLaws.Doors, [
        Context.get(one, PresetStore),
        Context.get(other, PresetStore)
      ])
    )
  )
