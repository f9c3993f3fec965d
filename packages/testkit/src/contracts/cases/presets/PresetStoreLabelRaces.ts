/**
 * The promises of a `PresetStore` about many who move one label at the same time.
 */
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { type LabelMove, type PresetVersion, targetOf } from "@verbatim/core/preset"
import { Effect, Result } from "effect"
import { upTo, userId } from "../../../samples/Ids.ts"
import {
  findStored,
  growPreset,
  label,
  labelMovesOf,
  moveLabel,
  revisionOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const writers = 16

/** How often a race is run. */
const rounds = 5

/** What the moves of a label, one after the other, make of it. */
const foldMoves = (moves: ReadonlyArray<LabelMove>): number | null | "broken" =>
  moves.reduce<number | null | "broken">(
    (version, { from, to }) => (version === from ? to : "broken"),
    null
  )

/** Each writer moves the label until it has done so. */
const moveUntilDone = Effect.fnUntraced(function* (version: PresetVersion, by: number) {
  const store = yield* PresetStore
  // Each try that fails is another writer's success.
  for (const _ of upTo(writers * 2)) {
    const { preset } = yield* findStored()
    // Others read and write in between, also where the store answers at once.
    yield* Effect.yieldNow
    const event = moveLabel("production", version, later(by))
    const revision = revisionOf(preset, { event, by: userId(by) })
    const outcome = yield* Effect.result(store.revise(revision))
    if (Result.isSuccess(outcome)) return
  }
  return yield* Expect.holds("a writer comes to its turn", false)
})

/** What a `PresetStore` promises about such races. */
export const labelRaces: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"lets one of 16 writers move a label that all of them saw at the same place"(store) {
      const { versions } = yield* growPreset(writers)
      for (const round of upTo(rounds)) {
        const { preset } = yield* findStored()
        const outcomes = yield* atOnce(versions, (version, index) => {
          const event = moveLabel("production", version, later(round))
          const revision = revisionOf(preset, { event, by: userId(index + 1) })
          return Effect.result(Effect.as(store.revise(revision), version.version))
        })
        const winners = outcomes.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
        const target = targetOf((yield* findStored()).preset.labels, label("production"))
        yield* Expect.that("the label is where the one winner put it", [
          winners.length,
          winners[0]
        ]).is([1, target?.version])
        const moves = yield* labelMovesOf(preset.id, "production")
        yield* Expect.that("and one move was added", moves.length).is(round)
      }
    },
    *"has a history of a label that says where it is, after 16 writers at once"() {
      const { preset, versions } = yield* growPreset(writers)
      yield* atOnce(versions, (version, index) => moveUntilDone(version, index + 1))
      const moves = yield* labelMovesOf(preset.id, "production")
      const { labels } = (yield* findStored()).preset
      yield* Expect.that("the moves lead to where it is", foldMoves(moves)).is(
        targetOf(labels, label("production"))?.version ?? null
      )
      yield* Expect.that("every writer has moved it once", moves.map(({ by }) => by).toSorted()).is(
        upTo(writers).map(userId).toSorted()
      )
    }
  }
)
