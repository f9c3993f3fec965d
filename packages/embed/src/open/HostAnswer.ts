/**
 * What a host's `authenticate` gives, judged like the arguments of a method: a field that is not
 * known would be a wish that is ignored in silence.
 */
import { isOfKind, isScope } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { InvalidInput } from "../Errors.ts"
import type { Caller, Stranger } from "../Options.ts"
import { object } from "./Arguments.ts"

const scope = Schema.String.check(Schema.makeFilter(isScope, { message: "must be a scope" }))

const caller = object("authenticate", {
  workspace: Schema.String,
  kind: Schema.Literals(["management", "inference"]),
  user: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.NullOr(Schema.Array(scope)))
})

const stranger = object("authenticate", { message: Schema.String })

const isStranger = (found: object): found is Stranger =>
  Reflect.get(found, "message") !== undefined && Reflect.get(found, "workspace") === undefined

/** Whom a host names; throws where that can be nobody. */
export const readAnswer = (found: Caller | Stranger | null | undefined): Caller | Stranger => {
  if (found === null || found === undefined) return { message: "" }
  if (isStranger(Object(found))) {
    stranger.judge(found)
    return found
  }
  caller.judge(found)
  const { kind, scopes } = found as Caller
  const beyond = scopes?.find((each) => !isOfKind(kind, each))
  if (beyond === undefined) return found
  const message = `scopes: ${beyond} needs the kind management`
  throw new InvalidInput({ code: "InvalidArgument", message })
}
