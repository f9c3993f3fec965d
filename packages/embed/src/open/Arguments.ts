/**
 * What a method is given, judged before anything else happens: types say the same to whoever has
 * them. A wrong argument is a rejection that names it, never a throw.
 */
import { fromIssue } from "@verbatim/core/schema"
import { Result, Schema } from "effect"
import { InvalidInput } from "../Errors.ts"
import { isObject, refuseUnknown } from "./Judgement.ts"

/** One argument of a method. */
export interface Argument {
  /** What messages call it. */
  readonly name: string
  readonly judge: (given: unknown) => void
}

/** An argument with fields. */
export interface WithFields<Name extends string> extends Argument {
  readonly names: ReadonlyArray<Name>
}

/** The arguments of a method, in their order. */
export type Call = ReadonlyArray<Argument>

/** Whatever judges a value. */
type Shape = Schema.ConstraintDecoder<unknown>

/** A call of whatever arguments. */
type Method = (...given: Array<never>) => Promise<unknown>

/** The sentence of a schema names fields alone: what has no name of its own is the argument. */
const refuse = (name: string, issue: Parameters<typeof fromIssue>[0]): InvalidInput => {
  const problems = fromIssue(issue).map(({ path, rule }) => ({
    path: path === "" ? name : path,
    rule
  }))
  const message = problems.map(({ path, rule }) => `${path}: ${rule}`).join("; ")
  return new InvalidInput({ code: "InvalidArgument", message, details: { problems } })
}

/** An argument of that schema. */
export const argument = (name: string, schema: Shape): Argument => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", reportInput: true })
  return {
    name,
    judge: (given) => {
      const decoded = decode(given)
      if (Result.isFailure(decoded)) throw refuse(name, decoded.failure.issue)
    }
  }
}

/** The fields that were given: undefined is the same as left out. */
const pick = (given: object, names: ReadonlyArray<string>): object =>
  Object.fromEntries(
    names
      .map((name) => [name, Reflect.get(given, name)] as const)
      .filter(([, value]) => value !== undefined)
  )

/** An object of at least these fields: a whole job stands for its id, say. */
export const openObject = <Fields extends Schema.Struct.Fields>(
  name: string,
  fields: Fields
): WithFields<keyof Fields & string> => {
  const names = Object.keys(fields)
  const { judge } = argument(name, Schema.Struct(fields) as unknown as Shape)
  return {
    name,
    names,
    judge: (given) => judge(isObject(given) ? pick(given, names) : given)
  }
}

/**
 * An object of these fields and no others: a misspelt wish would be ignored in silence. So would
 * one in an object within it, whose names are told besides.
 */
export const object = <Fields extends Schema.Struct.Fields>(
  name: string,
  fields: Fields,
  within: Readonly<Record<string, ReadonlyArray<string>>> = {}
): WithFields<keyof Fields & string> => {
  const { judge, names } = openObject(name, fields)
  return {
    name,
    names,
    judge: (given) => {
      refuseUnknown(given, names)
      for (const [field, known] of Object.entries(within)) {
        const inner: unknown = Reflect.get(Object(given), field)
        if (isObject(inner)) refuseUnknown(inner, known)
      }
      judge(given)
    }
  }
}

/** An argument that may be left out. */
export const leftOut = <A extends Argument>(argument: A): A => ({
  ...argument,
  judge: (given) => {
    if (given !== undefined) argument.judge(given)
  }
})

/** Judges what a method was given: throws at the first argument that is wrong. */
export const judgeAll = (call: Call, given: ReadonlyArray<unknown>): void => {
  for (const [place, { judge }] of call.entries()) judge(given[place])
}

/** The method, which is rejected where an argument is wrong, and never throws. */
export const judging = <A extends Method>(call: Call, method: A): A => {
  const judged = async (...given: Array<never>): Promise<unknown> => {
    judgeAll(call, given)
    return method(...given)
  }
  return judged as unknown as A
}

/** All of them, each with its own row of the table. */
export const judgingAll = <A extends Readonly<Record<keyof A, Method>>>(
  calls: Readonly<Record<keyof A, Call>>,
  methods: A
): A => {
  const names = Object.keys(methods) as unknown as ReadonlyArray<keyof A>
  return Object.fromEntries(
    names.map((name) => [name, judging(calls[name], methods[name])])
  ) as unknown as A
}
