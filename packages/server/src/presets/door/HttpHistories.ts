/**
 * What was, of the presets of the workspace of a key: over the HTTP API of a server.
 */
import { Effect, Schema } from "effect"
import { answerOf, readAs } from "./HttpAnswers.ts"
import type { CallServer } from "./HttpCalls.ts"
import { readPages } from "./Pages.ts"
import type { PresetDoor } from "./PresetDoor.ts"

type Methods = Pick<PresetDoor["Service"], "erase" | "moves" | "remove" | "versions">

const Versions = answerOf(
  Schema.Array(
    Schema.Struct({
      version: Schema.Int,
      creator_id: Schema.String,
      created_at: Schema.String,
      comment: Schema.optionalKey(Schema.String),
      erased_at: Schema.optionalKey(Schema.String)
    })
  )
)

const from = Schema.NullOr(Schema.Int)

const Designations = answerOf(
  Schema.Array(
    Schema.Struct({
      from,
      to: Schema.Int,
      designated_by: Schema.String,
      designated_at: Schema.String
    })
  )
)

const LabelMoves = answerOf(
  Schema.Array(Schema.Struct({ from, to: from, moved_by: Schema.String, moved_at: Schema.String }))
)

/** Makes the methods. */
export const makeHistories = (call: CallServer): Methods => {
  const versions: Methods["versions"] = (slug) =>
    readPages((query) =>
      call("GET", { path: "/presets/{slug}/versions", slug, query: { ...query } }).pipe(
        readAs(Versions),
        Effect.map(({ data }) =>
          data.map(({ comment = null, created_at: at, creator_id: by, erased_at, version }) => ({
            version,
            by,
            at,
            comment,
            erasedAt: erased_at ?? null
          }))
        )
      )
    )

  const designations = (slug: string) =>
    readPages((query) =>
      call("GET", { path: "/presets/{slug}/designations", slug, query: { ...query } }).pipe(
        readAs(Designations),
        Effect.map(({ data }) =>
          data.map(({ designated_at: at, designated_by: by, from, to }) => ({ from, to, by, at }))
        )
      )
    )

  const labelMoves = (slug: string, label: string) =>
    readPages((query) =>
      call("GET", {
        path: `/presets/{slug}/labels/${label}/moves`,
        slug,
        query: { ...query }
      }).pipe(
        readAs(LabelMoves),
        Effect.map(({ data }) =>
          data.map(({ from, moved_at: at, moved_by: by, to }) => ({ from, to, by, at }))
        )
      )
    )

  return {
    versions,
    moves: ({ label, slug }) => (label === null ? designations(slug) : labelMoves(slug, label)),
    erase: ({ slug, version }) =>
      Effect.asVoid(call("DELETE", { path: `/presets/{slug}/versions/${version}/content`, slug })),
    remove: (slug) => Effect.asVoid(call("DELETE", { path: "/presets/{slug}", slug }))
  }
}
