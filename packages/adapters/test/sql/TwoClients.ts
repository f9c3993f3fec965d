/**
 * Provides two clients of one database, which act like two processes, and runs concurrent
 * operations on them.
 */
import { assert } from "@effect/vitest"
import { JobStore, PresetStore, type Stores } from "@verbatim/core/ports"
import {
  claimIds,
  creation,
  findPreset,
  foundFirst,
  leaseToken,
  makeDraft,
  makeUploadJob,
  upTo,
  whole
} from "@verbatim/testkit/samples"
import { type Context, Effect, Option } from "effect"

/** Options that run all effects of a loop at once. */
export const atOnce = { concurrency: "unbounded" } as const

/** The stores on each client. */
export type TwoClients = readonly [one: Context.Context<Stores>, other: Context.Context<Stores>]

const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

/** Runs operations on the two clients in turn. */
const onBoth =
  <A, E>([one, other]: TwoClients, ask: (number: number) => Effect.Effect<A, E, Stores>) =>
  (number: number) =>
    Effect.provide(ask(number), number % 2 === 0 ? one : other)

/** Reads the versions of the preset that all writers append to. */
const storedVersions = Effect.gen(function* () {
  const presets = yield* PresetStore
  const { preset, version } = Option.getOrThrow(yield* findPreset())
  const versions = yield* presets.versions(preset.id, whole)
  assert.strictEqual(preset.latestVersion, versions.length)
  assert.strictEqual(version.version, versions.length)
  return versions.map(({ version }) => version)
})

/** Tests that 24 writers on each client create 48 versions of one preset. */
export const givesDenseVersions = Effect.fnUntraced(function* (both: TwoClients) {
  const [one, other] = both
  yield* Effect.provide(foundFirst, one)
  const append = (number: number) =>
    Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(number)))
  const appended = yield* Effect.forEach(upTo(48), onBoth(both, append), atOnce)
  assert.deepStrictEqual(sorted(appended.map(({ version }) => version.version)), upTo(48))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, one), upTo(48))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, other), upTo(48))
})

/** Claims seven of a hundred tasks at a time, 40 times in total, and returns the claimed tasks. */
export const claimOnBoth = Effect.fnUntraced(function* (both: TwoClients) {
  const insert = (number: number) =>
    Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number))))
  yield* Effect.provide(Effect.forEach(upTo(100), insert, { discard: true }), both[0])
  const claim = (number: number) => claimIds(leaseToken(number), { limit: 7 })
  return yield* Effect.forEach(upTo(40), onBoth(both, claim), atOnce)
})
