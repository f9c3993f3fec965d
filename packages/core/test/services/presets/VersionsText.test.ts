import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, Schema } from "effect"
import { PresetId, type PresetVersion, PresetVersionId } from "#src/domain/preset/PresetVersion"
import { toFullVersionView } from "#src/domain/preset/PresetView"
import { UserId } from "#src/domain/workspace/Workspace"
import { makeVersionsWriter } from "#src/services/presets/Presets"
import { joinPieces } from "../jobs/Pieces.ts"

const at = DateTime.makeUnsafe(0)

const versionOf = (version: number, systemPrompt: string | null): PresetVersion => ({
  id: PresetVersionId.make(`01900000-0000-7000-8000-${String(version).padStart(12, "0")}`),
  presetId: PresetId.make("01900000-0000-7000-8000-000000000001"),
  version,
  creatorId: UserId.make("user_01900000-0000-7000-8000-000000000002"),
  format: "responses" as const,
  wins: [],
  systemPrompt,
  config: { model: "m", temperature: version },
  comment: null,
  erased: null,
  createdAt: at,
  updatedAt: at
})

const between = (minimum: number, maximum: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const options = Arbitrary.all({
  prompts: Arbitrary.array(Arbitrary.schema(Schema.NullOr(Schema.String)), { maxLength: 12 }),
  later: between(0, 3),
  offset: between(0, 14),
  limit: between(1, 14),
  fits: between(1, 4)
})

describe("the text of a page of versions", () => {
  it.effect.prop(
    "equals the JSON of the page byte for byte, however the page is split into parts",
    [options],
    ([{ fits, later, limit, offset, prompts }]) =>
      Effect.gen(function* () {
        const all = prompts.map((prompt, index) => versionOf(index + 1, prompt))
        // The page lists no versions that were added after the preset was found.
        const total = Math.max(0, all.length - later)
        const { piece } = makeVersionsWriter(
          { offset, limit },
          {
            total,
            read: (page) =>
              Effect.succeed(all.slice(page.offset, page.offset + Math.min(fits, page.limit)))
          }
        )
        const text = yield* joinPieces(piece)
        const data = all
          .slice(0, total)
          .slice(offset, offset + limit)
          .map(toFullVersionView)
        assert.strictEqual(text, JSON.stringify({ data, total_count: total }))
      })
  )
})
