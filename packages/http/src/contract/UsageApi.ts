/**
 * The operations on usage as values: sums, and ledgers with their lines.
 */

import type { LedgerLine } from "@verbatim/core/job"
import { hasFourDigitYear, InvalidRequest, readTime, timePattern } from "@verbatim/core/schema"
import {
  ApiKeyId,
  checkPeriod,
  dayMillis,
  toAmount,
  toMinutes,
  toUsageTime,
  UsageBy,
  type UsageRow,
  type UsageSubject,
  type UsageTime,
  usageDaysDefault,
  usageDaysMax,
  usageRowMax,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Resource, UsageAuthentication } from "./Authentication.ts"
import { UsageErrors } from "./Errors.ts"
import { describe, pickErrors } from "./Operation.ts"
import {
  instant,
  makeChoice,
  makeNumber,
  makeText,
  orNull,
  ParameterRules,
  uuid
} from "./Parameters.ts"
import { workspaceParams } from "./workspace/WorkspaceApi.ts"

/** Makes a field of minutes as people read them. */
const makeMinutes = (what: string) =>
  Schema.String.annotate({ description: `${what}, as a decimal number with two digits.` })

/** Makes the same for whoever sums. */
const makeMillis = (what: string) =>
  Schema.Int.annotate({ description: `${what}, exactly: milliseconds of audio.` })

/** Where the next page begins. */
const nextCursor = orNull(Schema.String, "The `cursor` of the next page; null on the last one.")

/** Rows on a page when the request does not say. */
const rowDefault = 100

const limit = {
  description: "Most rows in the answer.",
  minimum: 1,
  maximum: usageRowMax,
  default: rowDefault
}

/** The parameters of a page. */
const pageQuery = {
  cursor: Schema.optionalKey(makeText({ description: "The `next_cursor` of the page before." })),
  limit: Schema.optionalKey(makeNumber(limit))
}

export type LedgerQuery = Schema.Struct<typeof pageQuery>["Type"]

/** Names the one parameter that breaks a rule. */
const refuse = (path: string, rule: string) => new InvalidRequest({ problems: [{ path, rule }] })

/** A cursor that no page has given. */
const refuseCursor = () => refuse("cursor", "must be the next_cursor of a page")

const nothing: UsageSubject = { day: null, workspaceId: null, keyId: null }

/** Writes what a row is about. */
export const toCursor = ({ day, keyId, workspaceId }: UsageSubject): string =>
  day === null ? [workspaceId, ...(keyId === null ? [] : [keyId])].join(".") : String(day)

const decodeWorkspaceId = Schema.decodeOption(WorkspaceId)
const decodeKeyId = Schema.decodeOption(ApiKeyId)

const readDay = (text: string): Option.Option<UsageSubject> =>
  /^\d{1,7}$/.test(text) ? Option.some({ ...nothing, day: Number(text) }) : Option.none()

/** Reads what the last row of the page before is about. */
const readCursor = (by: UsageBy, text: string): Option.Option<UsageSubject> => {
  if (by === "day") return readDay(text)
  const [workspace = "", key, ...rest] = text.split(".")
  const isForeign = rest.length > 0 || (by === "workspace" && key !== undefined)
  const workspaceId = isForeign ? Option.none() : decodeWorkspaceId(workspace)
  const keyId = key === undefined ? Option.some(null) : decodeKeyId(key)
  return Option.map(Option.all([workspaceId, keyId]), ([workspaceId, keyId]) => ({
    ...nothing,
    workspaceId,
    keyId
  }))
}

const makeTime = (description: string) =>
  makeText({ pattern: timePattern, description }).check(
    Schema.makeFilter<string>((text) => Option.isSome(readTime(text)), {
      message: "must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"
    })
  )

const usageQuery = {
  from: Schema.optionalKey(
    makeTime(
      "The first instant that is counted, or the day of UTC that begins with it; " +
        `${usageDaysDefault} days before \`to\` when left out.`
    )
  ),
  to: Schema.optionalKey(
    makeTime(
      "The first instant that is not counted any more, or the day of UTC that begins with it; " +
        `the end of today when left out. At most ${usageDaysMax} days after \`from\`.`
    )
  ),
  by: Schema.optionalKey(
    makeChoice(UsageBy, { default: "day", description: "What each row is about." })
  ),
  workspace_id: Schema.optionalKey(
    makeText({
      ...Schema.toJsonSchemaDocument(Schema.String.check(Schema.isUUID())).schema,
      description: "One workspace. A key of a workspace reads its own in any case."
    })
      .check(Schema.isUUID(undefined, { message: "must be a UUID" }))
      .pipe(Schema.decodeTo(WorkspaceId))
  ),
  ...pageQuery
}
export type UsageQuery = Schema.Struct<typeof usageQuery>["Type"]

/** What is asked for. */
export interface UsageRequest extends UsageTime {
  readonly by: UsageBy
  readonly workspaceId: WorkspaceId | null
  readonly after: UsageSubject | null
  readonly limit: number
}

const tooEarly = `at least ${usageDaysDefault} days after the year 0 begins, unless from is sent`

const timeOf = ({ from = "", to = "" }: Pick<UsageQuery, "from" | "to">) => ({
  from: readTime(from),
  to: readTime(to)
})

/** What a query asks for, or which of its parameters do not go together. */
export const readUsageRequest = Effect.fnUntraced(function* (
  query: UsageQuery
): Effect.fn.Return<UsageRequest, InvalidRequest> {
  const { by = "day", cursor, limit = rowDefault, workspace_id: workspaceId = null } = query
  const time = toUsageTime(timeOf(query), yield* DateTime.now)
  // Where only an end is sent, what goes before it may have no name.
  if (!hasFourDigitYear(time.from)) return yield* refuse("to", tooEarly)
  const rule = checkPeriod(time)
  if (rule !== undefined) return yield* refuse("to", rule)
  if (cursor === undefined) return { ...time, by, workspaceId, after: null, limit }
  const after = readCursor(by, cursor)
  if (Option.isNone(after)) return yield* refuseCursor()
  return { ...time, by, workspaceId, after: after.value, limit }
})

const UsageView = Schema.Struct({
  day: orNull(Schema.String.annotate({ format: "date" }), "The day of UTC; null unless by day."),
  workspace_id: orNull(uuid, "Null by day."),
  key_id: orNull(
    uuid,
    "The key that asked for the jobs. Null for what no key asked for, such as credits, and " +
      "unless by key."
  ),
  jobs: Schema.Int.annotate({ description: "Jobs that were charged." }),
  charged_minutes: makeMinutes("Minutes that were charged"),
  charged_millis: makeMillis("The same"),
  credited_minutes: makeMinutes("Minutes that were given, less those taken away"),
  credited_millis: makeMillis("The same")
}).annotate({ identifier: "Usage" })

const example: typeof UsageView.Type = {
  day: "2025-01-02",
  workspace_id: null,
  key_id: null,
  jobs: 2,
  charged_minutes: "2.05",
  charged_millis: 123_456,
  credited_minutes: "600.00",
  credited_millis: 36_000_000
}

/** A page of sums. */
export const UsagePage = Schema.Struct({
  from: instant.annotate({ description: "The first instant that is counted." }),
  to: instant.annotate({ description: "The first instant that is not counted any more." }),
  data: Schema.Array(UsageView),
  next_cursor: nextCursor
}).annotate({
  identifier: "UsagePage",
  description: "The sums.",
  examples: [
    {
      from: "2025-01-02T00:00:00.000Z",
      to: "2025-01-03T00:00:00.000Z",
      data: [example],
      next_cursor: null
    }
  ]
})

const toDay = (day: number): string =>
  DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * dayMillis))

/** Shows a row. */
export const toUsageView = (row: UsageRow): typeof UsageView.Type => ({
  day: row.day === null ? null : toDay(row.day),
  workspace_id: row.workspaceId,
  key_id: row.keyId,
  jobs: row.jobs,
  charged_minutes: toMinutes(row.chargedMillis),
  charged_millis: row.chargedMillis,
  credited_minutes: toMinutes(row.creditedMillis),
  credited_millis: row.creditedMillis
})

/** What is asked for. */
interface LedgerRequest {
  readonly before: LedgerLine["place"] | null
  readonly limit: number
}

/** As many digits as a place has at most. */
const isCursor = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

/** What a query asks for, unless its cursor is none. */
export const readLedgerPage = ({
  cursor,
  limit = rowDefault
}: LedgerQuery): Effect.Effect<LedgerRequest, InvalidRequest> => {
  if (cursor === undefined) return Effect.succeed({ before: null, limit })
  return isCursor(cursor)
    ? Effect.succeed({ before: Number(cursor), limit })
    : Effect.fail(refuseCursor())
}

const LedgerLineView = Schema.Struct({
  at: instant.annotate({ description: "When the job was charged, or the credit given." }),
  minutes: makeMinutes("What was added, negative where it was taken"),
  millis: makeMillis("The same"),
  job_id: orNull(uuid, "The job that was charged, which may be deleted; null for a credit."),
  key_id: orNull(uuid, "The key that asked for the job; null where no key did, and for a credit."),
  credit_id: orNull(Schema.String, "The id of the credit; null for a charge.")
}).annotate({ identifier: "LedgerLine" })

const none = { job_id: null, key_id: null, credit_id: null }

const examples: ReadonlyArray<typeof LedgerLineView.Type> = [
  {
    ...none,
    at: "2025-01-02T03:04:05.678Z",
    minutes: "-2.05",
    millis: -123_456,
    job_id: "019425f4-8e1e-7a3c-8d05-3f6f2b1c9e77",
    key_id: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e"
  },
  {
    ...none,
    at: "2025-01-01T00:00:00.000Z",
    minutes: "600.00",
    millis: 36_000_000,
    credit_id: "5f9a3b1e-6c0d-4e8f-9a7b-2c1d0e3f4a5b"
  }
]

/** A page of a ledger. */
export const LedgerPage = Schema.Struct({
  data: Schema.Array(LedgerLineView),
  next_cursor: nextCursor
}).annotate({
  identifier: "LedgerPage",
  description: "Lines of the ledger, the newest first.",
  examples: [{ data: examples, next_cursor: null }]
})

/** Shows a line. */
export const toLedgerView = ({
  at,
  millis,
  reason
}: Omit<LedgerLine, "place">): typeof LedgerLineView.Type => ({
  ...none,
  at: DateTime.formatIso(at),
  minutes: toAmount(millis),
  millis,
  ...(reason._tag === "Charge"
    ? { job_id: reason.jobId, key_id: reason.keyId }
    : { credit_id: reason.creditId })
})

const read = HttpApiEndpoint.get("read", "/v1/usage", {
  query: usageQuery,
  success: UsagePage,
  error: pickErrors(UsageErrors, 400, 404, 429)
}).annotateMerge(
  describe(
    "Read what was used",
    "What was charged and credited, by day, by key or by workspace. A key of a workspace reads its",
    "own; an operator key reads all workspaces or one, deleted ones too."
  )
)

/** What the operations on ledgers take, and answer. */
const ledgerOperation = {
  query: pageQuery,
  success: LedgerPage,
  error: pickErrors(UsageErrors, 400, 404, 429)
} as const

const newestFirst =
  "Each charge and each credit, the newest first. Whoever follows the cursors gets each line that" +
  " was there at the first page, once. Lines stay when their job is deleted."

const readLedger = HttpApiEndpoint.get("ledger", "/v1/workspaces/:id/ledger", {
  params: workspaceParams,
  ...ledgerOperation
}).annotateMerge(
  describe(
    "Read the ledger of a workspace",
    newestFirst,
    "An operator key reads that of every workspace, deleted ones too; a key of a workspace its own."
  )
)

const readOwnLedger = HttpApiEndpoint.get("ownLedger", "/v1/ledger", ledgerOperation).annotateMerge(
  describe("Read the ledger of one's own workspace", newestFirst)
)

/** What workspaces used. */
export const UsageApi = HttpApiGroup.make("usage")
  .add(read, readLedger, readOwnLedger)
  .middleware(ParameterRules)
  .middleware(UsageAuthentication)
  .annotate(Resource, "usage")
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Usage",
      description: "What was charged and credited. Takes a key of a workspace, or an operator key."
    })
  )
