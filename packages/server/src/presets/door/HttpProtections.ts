/**
 * The protected labels of the workspace of a key, over the HTTP API of a server.
 */
import { hasLabelScope, isLabelName, LabelName } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import { answerOf, readAs } from "./HttpAnswers.ts"
import type { CallServer } from "./HttpCalls.ts"
import type { PresetDoor } from "./PresetDoor.ts"

type Methods = Pick<PresetDoor["Service"], "protect" | "protections" | "unprotect">

const Protected = Schema.Struct({
  label: Schema.String,
  protected_by: Schema.NullOr(Schema.String),
  protected_at: Schema.String
})

const Key = Schema.Struct({
  id: Schema.String,
  hint: Schema.String,
  name: Schema.NullOr(Schema.String),
  kind: Schema.Literals(["management", "inference"]),
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  expires_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  revoked_at: Schema.NullOr(Schema.String)
})
type Key = typeof Key.Type

const isMover = (key: Key, label: string): boolean =>
  isLabelName(label) && hasLabelScope(key, LabelName.make(label))

const toMover = ({ hint, id, name }: Key) => ({ id, hint, name })

/** Makes the methods. */
export const makeProtections = (call: CallServer): Methods => {
  const validKeys = Effect.gen(function* () {
    const { data } = yield* call("GET", { path: "/keys" }).pipe(readAs(answerOf(Schema.Array(Key))))
    const now = yield* DateTime.now
    return data.filter(
      ({ expires_at: end, revoked_at }) =>
        revoked_at === null && (end === null || DateTime.isGreaterThan(end, now))
    )
  })

  const protections = Effect.gen(function* () {
    const { data } = yield* call("GET", { path: "/labels/protected" }).pipe(
      readAs(answerOf(Schema.Array(Protected)))
    )
    // Most keys may not look at keys.
    const keys = Option.getOrUndefined(yield* Effect.option(validKeys))
    return data.map(({ label, protected_at: since, protected_by: by }) => {
      const movers = keys?.filter((key) => isMover(key, label)).map(toMover)
      return { label, by, since, movers: movers ?? null }
    })
  })

  const decide = (method: "DELETE" | "PUT") => (label: string) =>
    Effect.asVoid(call(method, { path: `/labels/protected/${label}` }))

  return { protections, protect: decide("PUT"), unprotect: decide("DELETE") }
}
