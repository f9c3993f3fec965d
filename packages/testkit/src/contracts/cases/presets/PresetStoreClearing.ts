/**
 * The promises of a `PresetStore` about workspaces whose presets go.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { presetId, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  designate,
  findStored,
  makeDraft,
  pastOf,
  revisePreset,
  slug,
  whole
} from "../../../samples/SamplePreset.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

const own = workspaceId(1)

/** More calls than any of these cases needs. */
const callMax = 1_000

/** Clears until nothing is left; returns how many calls that took. */
const clearWhole = Effect.fnUntraced(function* (rowMax: number) {
  const store = yield* PresetStore
  for (let count = 1; count <= callMax; count += 1) {
    if (!(yield* store.clear(own, rowMax))) return count
  }
  return yield* Expect.holds("it comes to an end", false)
})

/** A preset with versions, designations, a change and a key. */
const fillPreset = Effect.fnUntraced(function* (first: number, text: string) {
  const store = yield* PresetStore
  const fields = { presetId: presetId(first), slug: slug(text) }
  const request = Option.some({
    key: IdempotencyKey.make(`key-of-${text}`),
    fingerprint: "0".repeat(64)
  })
  const { version } = yield* store.append(makeDraft(first, { ...fields, request }))
  yield* Effect.forEach([1, 2, 3], (next) => store.append(makeDraft(first + next, fields)))
  const { preset } = yield* findStored(text)
  yield* revisePreset(preset, designate(version))
  return preset
})

/** What goes, and what stays. */
export const clearing: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"clears a workspace of its presets, and of all that is known of them"(store) {
    const first = yield* fillPreset(10, "first")
    const second = yield* fillPreset(20, "second")
    yield* clearWhole(1_000)
    yield* store
      .list(own, whole)
      .pipe(Expect.gives("no preset is listed", { presets: [], total: 0 }))
    for (const { id } of [first, second]) {
      yield* pastOf(id).pipe(
        Expect.gives("no version and no designation is left", { versions: [], designations: [] })
      )
    }
    yield* Expect.that(
      "a key stands for nothing",
      yield* store.made(own, IdempotencyKey.make("key-of-first"))
    ).is(Option.none())
    const { preset } = yield* store.append(makeDraft(30, { slug: slug("first") }))
    yield* Expect.that("a slug begins anew", preset.latestVersion).is(1)
  },
  *"clears a few rows at a time, and says when nothing is left"(store) {
    yield* Effect.forEach(upTo(5), (number) => fillPreset(10 * number, `preset-${number}`))
    yield* store.clear(own, 1).pipe(Expect.gives("one row is not all", true))
    const { total } = yield* store.list(own, whole)
    yield* Expect.holds("most is there still", total >= 4)
    yield* clearWhole(2)
    yield* store.list(own, whole).pipe(Expect.gives("it is gone", { presets: [], total: 0 }))
    yield* store.clear(own, 2).pipe(Expect.gives("nothing is left to clear", false))
  },
  *"clears a workspace for many who do so at once"(store) {
    yield* Effect.forEach(upTo(3), (number) => fillPreset(10 * number, `preset-${number}`))
    yield* atOnce(upTo(4), () => clearWhole(5))
    yield* store.list(own, whole).pipe(Expect.gives("it is gone", { presets: [], total: 0 }))
  },
  *"clears no other workspace"(store) {
    const { id } = yield* fillPreset(10, "first")
    const before = [yield* findStored("first"), yield* pastOf(id)]
    yield* store.clear(workspaceId(2), 1_000).pipe(Expect.gives("there is nothing", false))
    yield* Expect.that("all is as it was", [yield* findStored("first"), yield* pastOf(id)]).is(
      before
    )
  }
})
