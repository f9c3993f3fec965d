/**
 * Everything that is wrong with a document: the limits of JSON and the rules of its schema, in one
 * list, in the order of the fields.
 */
import { Result, Schema, type SchemaAST } from "effect"
import { toNumbers } from "./ExactNumber.ts"
import { finiteRule, type Measured, measure } from "./JsonLimits.ts"
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

  const inOrder = (document: unknown): unknown =>
    typeof document !== "object" || document === null || Array.isArray(document)
      ? document
      : Object.fromEntries(
          Object.entries(document).toSorted(([one], [other]) => placeOf(one) - placeOf(other))
        )

  /** The ten that are told must be the first ones in the order of the fields, not in that sent. */
  const measured = (document: unknown): Measured => {
    const asSent = measure(document)
    return asSent.found.length === 0 ? asSent : measure(inOrder(document))
  }

  const broken = (document: unknown): ReadonlyArray<Found> => {
    // Stopping at the first issue is several times cheaper, and most documents have none.
    if (Result.isSuccess(firstIssue(document))) return []
    const outcome = everyIssue(document)
    return Result.isFailure(outcome) ? foundIn(outcome.failure.issue) : []
  }

  return (document) => {
    const { found, hasExact, isWhole } = measured(document)
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
