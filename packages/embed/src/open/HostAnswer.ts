/** Validates callers from `authenticate` and `as`: a misspelt field would be ignored silently. */
import { nearest } from "@verbatim/core/schema"
import { isOfKind, isScope } from "@verbatim/core/workspace"
import { InvalidOptions } from "../Errors.ts"
import type { Caller, Member, Stranger } from "../Options.ts"
import type { Transaction } from "../Verbatim.ts"
import { isKept, isWorkspaceId, isWorkspaceName, nameRule } from "./Workspaces.ts"

type Rule = (given: unknown) => string | undefined

const text: Rule = (given) => (typeof given === "string" ? undefined : "must be a text")

const scopes: Rule = (given) =>
  given === null || (Array.isArray(given) && given.every(isScope))
    ? undefined
    : "must be a list of scopes, or null"

const kind: Rule = (given) =>
  given === "management" || given === "inference"
    ? undefined
    : `must be "management" or "inference"`

const callerRules = { workspace: text, kind, user: text, scopes }

const memberRules = {
  ...callerRules,
  workspace: (given: unknown) =>
    isWorkspaceName(given) || isWorkspaceId(Object(given).id)
      ? undefined
      : `must be a name of ${nameRule}, or an object with the id of a workspace`,
  user: (given: unknown) =>
    isKept(given) ? undefined : "must be a text without NUL or a lone surrogate"
}

interface Shape {
  readonly rules: Readonly<Record<string, Rule>>
  readonly needed: ReadonlyArray<string>
}

const refuse = (message: string): never => {
  throw new InvalidOptions({ code: "InvalidArgument", message })
}

const judge = (given: unknown, { needed, rules }: Shape): void => {
  if (typeof given !== "object" || given === null) refuse("a caller is an object")
  const fields = Object.entries(given as object).filter(([, value]) => value !== undefined)
  for (const [name, value] of fields) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) {
      const meant = nearest(name, Object.keys(rules))
      refuse(`There is no "${name}"${meant === undefined ? "" : `: "${meant}" may be meant`}`)
    }
    const fault = rule?.(value)
    if (fault !== undefined) refuse(`${name}: ${fault}`)
  }
  const missing = needed.find((name) => Object(given)[name] === undefined)
  if (missing !== undefined) refuse(`${missing}: is missing`)
  const { kind = "management", scopes = null } = given as Member
  const beyond = scopes?.find((each) => !isOfKind(kind, each))
  if (beyond !== undefined) refuse(`scopes: ${beyond} needs the kind management`)
}

const isStranger = (found: object): found is Stranger =>
  Reflect.get(found, "message") !== undefined && Reflect.get(found, "workspace") === undefined

const stranger = { rules: { message: text }, needed: ["message"] }

/** Validates what `authenticate` gave. Throws `InvalidOptions`. */
export const readAnswer = (found: Caller | Stranger | null | undefined): Caller | Stranger => {
  if (found === null || found === undefined) return { message: "" }
  if (isStranger(Object(found))) judge(found, stranger)
  else judge(found, { rules: callerRules, needed: ["workspace", "kind"] })
  return found
}

const noConnection =
  "within takes a connection that is in a transaction of yours, and transactions of Kysely, " +
  "Drizzle, Knex and Prisma through fromKysely, fromDrizzle, fromKnex and fromPrisma"

/** A connection of `pg`, a database of `node:sqlite`, or a transaction of Effect; else throws. */
export const readTransaction = (given: Transaction): Transaction => {
  const isConnection =
    Array.isArray(given) ||
    ["query", "prepare"].some((name) => typeof Object(given)[name] === "function")
  return isConnection ? given : refuse(noConnection)
}

/** Copies and validates what `as` takes. Throws `InvalidOptions`. */
export const readMember = (given: Member): Member => {
  const member = structuredClone(given)
  judge(member, { rules: memberRules, needed: [] })
  return member
}
