/**
 * Which lines of a ledger a request asks for.
 */
import type { LedgerLine } from "@verbatim/core/job"
import { InvalidRequest, makeJudge } from "@verbatim/core/schema"
import { Effect, Schema } from "effect"
import { pageFields, refuseCursor, rowDefault, shownPage } from "./PageParameters.ts"

const Query = Schema.Struct(pageFields)

/** The parameters as they arrive. */
export const ledgerQuery = shownPage

/** What is asked for. */
interface Wanted {
  readonly before: LedgerLine["place"] | null
  readonly limit: number
}

const judge = makeJudge({ schema: Query, names: Object.keys(Query.fields) })
const decode = Schema.decodeUnknownEffect(Query)

/** As many digits as a place has at most. */
const isPlace = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

/** Reads the parameters, or names what is wrong with them. */
export const readLedgerPage = Effect.fnUntraced(function* (
  given: unknown
): Effect.fn.Return<Wanted, InvalidRequest> {
  const [first, ...others] = judge(given)
  if (first !== undefined) return yield* new InvalidRequest({ problems: [first, ...others] })
  const { cursor, limit = rowDefault } = yield* Effect.orDie(decode(given))
  if (cursor === undefined) return { before: null, limit }
  return isPlace(cursor) ? { before: Number(cursor), limit } : yield* refuseCursor()
})
