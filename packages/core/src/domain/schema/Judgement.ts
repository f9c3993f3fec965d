/**
 * Everything that is wrong with a document: the limits of JSON and the rules of its schema, in one
 * list, in the order of the fields. Within one field, broken limits come before broken rules.
 */
import { Result, Schema, type SchemaAST } from "effect"
import { toNumbers } from "./ExactNumber.ts"
import { finiteRule, type Measured, measure, type Order } from "./JsonLimits.ts"
import { type Found, formatPath, foundIn, type Problem, toProblems } from "./Problem.ts"

/** How a document is judged. */
interface Rules {
  readonly schema: Schema.ConstraintDecoder<unknown>
  /** Names of the fields, in the order in which problems are told; unknown ones come behind. */
  readonly names: ReadonlyArray<string>
  readonly options?: SchemaAST.ParseOptions
}

/** The place of a field; the document as a whole comes first. */
const makePlaceOf = (names: ReadonlyArray<string>) => {
  const places = new Map<PropertyKey, number>(names.map((name, index) => [name, index]))
  return (name: PropertyKey | undefined): number =>
    name === undefined ? -1 : (places.get(name) ?? names.length)
}

/**
 * Makes the judge of a document. The decoders are made once: making them costs far more than a
 * document.
 */
export const makeJudge = ({
  names,
  options,
  schema
}: Rules): ((document: unknown) => ReadonlyArray<Problem>) => {
  const firstIssue = Schema.decodeUnknownResult(schema, { ...options, reportInput: true })
  const everyIssue = Schema.decodeUnknownResult(schema, {
    ...options,
    errors: "all",
    reportInput: true
  })
  const placeOf = makePlaceOf(names)

  const order: Order = (one, other) => placeOf(one) - placeOf(other)

  /**
   * What a document holds. A broken limit is rare: only then is the document walked once more, in
   * the order of the fields, because the ten that are told must be the first ones in that order.
   */
  const measureInOrder = (document: unknown): Measured => {
    const asSent = measure(document)
    return asSent.found.length === 0 ? asSent : measure(document, order)
  }

  const broken = (document: unknown): ReadonlyArray<Found> => {
    // Stopping at the first issue is several times cheaper, and most documents have none.
    if (Result.isSuccess(firstIssue(document))) return []
    const outcome = everyIssue(document)
    return Result.isFailure(outcome) ? foundIn(outcome.failure.issue) : []
  }

  return (document) => {
    const { found, hasExact, isWhole } = measureInOrder(document)
    if (!isWhole) return toProblems(found)
    const rules = broken(hasExact ? toNumbers(document) : document)
    if (found.length === 0) return toProblems(rules)
    const infinite = new Set(
      found.filter(({ rule }) => rule === finiteRule).map(({ path }) => formatPath(path))
    )
    const others = rules.filter(({ path }) => !infinite.has(formatPath(path)))
    return toProblems(
      [...found, ...others].toSorted((one, other) => placeOf(one.path[0]) - placeOf(other.path[0]))
    )
  }
}
