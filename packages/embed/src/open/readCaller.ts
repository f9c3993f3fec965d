/**
 * Validates callers from `authenticate` and `as`. Without this, a misspelt field would be silently
 * ignored.
 */
import { isOfKind, isScope } from "@verbatim/core/workspace"
import { InvalidOptions } from "../Errors.ts"
import type { Caller, Member, Rejection } from "../Options.ts"
import type { Transaction } from "../Verbatim.ts"
import { isStorable, isWorkspaceId, isWorkspaceName, nameRule } from "./OwnerLookup.ts"
import { must, only, type Rule } from "./validateOptions.ts"

const text = must("text", (given) => typeof given === "string")

const callerRules = {
  workspace: text,
  kind: must(
    `"management" or "inference"`,
    (given) => given === "management" || given === "inference"
  ),
  user: text,
  scopes: must(
    "a list of scopes, or null",
    (given) => given === null || (Array.isArray(given) && given.every(isScope))
  )
}

const caller = only(callerRules, ["workspace", "kind"])

const member = only({
  ...callerRules,
  workspace: must(
    `a name of ${nameRule}, or an object with the id of a workspace`,
    (given) => isWorkspaceName(given) || isWorkspaceId(Object(given).id)
  ),
  user: must("text without NUL or a lone surrogate", isStorable)
})

const rejection = only({ message: text }, ["message"])

const refuse = (message: string): never => {
  throw new InvalidOptions({ code: "InvalidArgument", message })
}

const validate = (given: object, rule: Rule, where = ""): void => {
  const problem = rule(given)
  if (problem !== undefined) refuse(`${where}${problem}`)
  const { kind = "management", scopes = null } = given as Member
  const beyond = scopes?.find((each) => !isOfKind(kind, each))
  if (beyond !== undefined) refuse(`"scopes": ${beyond} needs the kind management`)
}

const isRejection = (found: object): found is Rejection =>
  Reflect.get(found, "message") !== undefined && Reflect.get(found, "workspace") === undefined

/** Validates the result of `authenticate`. Throws `InvalidOptions`. */
export const readCaller = (found: Caller | Rejection | null | undefined): Caller | Rejection => {
  if (found === null || found === undefined) return { message: "" }
  validate(found, isRejection(Object(found)) ? rejection : caller)
  return found
}

const noConnection =
  "within takes a connection that is in one of your transactions, or transactions of Kysely, " +
  "Drizzle, Knex and Prisma through fromKysely, fromDrizzle, fromKnex and fromPrisma"

/**
 * Validates a `pg` connection, a `node:sqlite` database or an Effect transaction. Throws
 * `InvalidOptions`.
 */
export const readTransaction = (given: Transaction): Transaction => {
  const isConnection =
    Array.isArray(given) ||
    ["query", "prepare"].some((name) => typeof Object(given)[name] === "function")
  return isConnection ? given : refuse(noConnection)
}

/** Copies and validates the argument of `as`. Throws `InvalidOptions`. */
export const readMember = (given: Member): Member => {
  const copied = structuredClone(given)
  validate(copied, member, "as: ")
  return copied
}
