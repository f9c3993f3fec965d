/** Tests that many concurrent lookups of presets on Postgres each get the right result. */
import { assert, describe, it } from "@effect/vitest"
import { PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import type { PresetSlug } from "@verbatim/core/preset"
import { createWorkspace } from "@verbatim/core/workspace"
import {
  instant,
  makeDraft,
  makePresetVersions,
  presetId,
  slug,
  userId,
  versionId,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option, Result, Schema } from "effect"
import { atOnce } from "../sql/TwoClients.ts"
import { onServer } from "./TemporarySchema.ts"

/** Names of presets that exist in both workspaces, in one, or in neither. */
const plain = ["support", "notes", "other", "nobody's", "", '","'] as const

/**
 * Names that no column can store. If a batch contains one, Postgres refuses the whole statement.
 */
const refused = ["\u0000", "\ud800"] as const

const names = [...plain, ...refused]

const looked = Schema.Tuple([Schema.Literals([1, 2, 3]), Schema.Literals(names)])

const find = ([workspace, name]: typeof looked.Type) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.result(store.find(workspaceId(workspace), name as PresetSlug))
  )

/** Hides the details of failures, because they contain the statement, which differs for a batch. */
const reported = <A, E>(results: ReadonlyArray<Result.Result<A, E>>) =>
  results.map((result) => (Result.isSuccess(result) ? result.success : "failed"))

const second = createWorkspace({
  id: workspaceId(2),
  name: "second",
  externalId: null,
  firstUserId: userId(2),
  createdAt: instant
})

const inSecond = { workspaceId: second.id }

/** Creates presets in two workspaces, with one name in common. */
const filled = Effect.gen(function* () {
  yield* Effect.flatMap(WorkspaceStore, (workspaces) => workspaces.create(second))
  const store = yield* PresetStore
  yield* makePresetVersions(3)
  yield* makePresetVersions(1, { first: 10, text: "notes" })
  const [support, other] = [makeDraft(20, inSecond), makeDraft(21, inSecond)]
  yield* store.append({ ...support, presetId: presetId(20), versionId: versionId(20) })
  yield* store.append({ ...other, slug: slug("other") })
})

describe("Preset lookups on Postgres", () => {
  for (const [who, asked] of Object.entries({ plain, refused: names })) {
    it.live(`get the same results in a batch as alone, including ${who} names`, () =>
      withWorkspace(function* () {
        yield* filled
        const all = asked.flatMap((name) => ([1, 2, 3] as const).map((of) => [of, name] as const))
        const many = [...all, ...all.toReversed(), ...all]
        const together = yield* Effect.forEach(many, find, atOnce)
        const alone = yield* Effect.forEach(many, find)
        assert.deepStrictEqual(reported(together), reported(alone))
        const there = alone.filter(
          (result) => Result.isSuccess(result) && Option.isSome(result.success)
        )
        assert.strictEqual(there.length, 3 * 4)
      }).pipe(Effect.provide(onServer))
    )
  }
})
