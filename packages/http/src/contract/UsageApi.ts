/** Defines the usage operations: totals and ledger lines. */

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
  WorkspaceId,
  WorkspaceIdParameter
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema, Struct } from "effect"
import { UsageAuthentication } from "./Authentication.ts"
import { pickErrors, UsageErrors } from "./Errors.ts"
import { describe, makeGroup } from "./Operation.ts"
import {
  countField,
  instant,
  makeChoice,
  makeNumber,
  makeText,
  orNull,
  ParameterRules,
  textField,
  uuid
} from "./Parameters.ts"
import { workspaceParams } from "./workspace/WorkspaceApi.ts"

/** Creates a field in minutes, for people. */
const makeMinutes = (what: string) => textField(`${what}, as a decimal number with two digits.`)

/** Creates a field in milliseconds, for programs that add up amounts. */
const makeMillis = (what: string) => countField(`${what}, exactly, in milliseconds of audio.`)

const nextCursor = orNull(Schema.String, "The `cursor` for the next page; null on the last page.")

/** Default number of rows per page. */
const rowDefault = 100

const limit = {
  description: "Maximum number of rows in the answer.",
  minimum: 1,
  maximum: usageRowMax,
  default: rowDefault
}

const pageQuery = Struct.map(
  {
    cursor: makeText({ description: "The `next_cursor` of the previous page." }),
    limit: makeNumber(limit)
  },
  Schema.optionalKey
)

export type LedgerQuery = Schema.Struct<typeof pageQuery>["Type"]

const refuse = (path: string, rule: string) => new InvalidRequest({ problems: [{ path, rule }] })

/** Refuses a cursor that no page contains. */
const refuseCursor = () => refuse("cursor", "must be the next_cursor of a page")

const nothing: UsageSubject = { day: null, workspaceId: null, keyId: null }

/** Encodes a row's day, key and workspace as a cursor. */
export const toCursor = ({ day, keyId, workspaceId }: UsageSubject): string =>
  day === null ? [workspaceId, ...(keyId === null ? [] : [keyId])].join(".") : String(day)

const decodeWorkspaceId = Schema.decodeOption(WorkspaceId)
const decodeKeyId = Schema.decodeOption(ApiKeyId)

const readDay = (text: string): Option.Option<UsageSubject> =>
  /^\d{1,7}$/.test(text) ? Option.some({ ...nothing, day: Number(text) }) : Option.none()

/** Decodes a cursor, which names the last row of the previous page. */
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

const usageQuery = Struct.map(
  {
    from: makeTime(
      `Start of the period, inclusive: a timestamp, or a day in UTC; ${usageDaysDefault} days ` +
        "before `to` if omitted."
    ),
    to: makeTime(
      "End of the period, exclusive: a timestamp, or a day in UTC; the end of today if omitted. " +
        `At most ${usageDaysMax} days after \`from\`.`
    ),
    by: makeChoice(UsageBy, { default: "day", description: "How rows are grouped." }),
    workspace_id: makeText({
      ...Schema.toJsonSchemaDocument(Schema.String.check(Schema.isUUID())).schema,
      description: "Only this workspace. A workspace key always reads its own workspace."
    })
      .check(Schema.isUUID(undefined, { message: "must be a UUID" }))
      .pipe(Schema.decodeTo(WorkspaceIdParameter))
  },
  Schema.optionalKey
)
export type UsageQuery = Schema.Struct<typeof usageQuery & typeof pageQuery>["Type"]

export interface UsageRequest extends UsageTime {
  readonly by: UsageBy
  readonly workspaceId: WorkspaceId | null
  readonly after: UsageSubject | null
  readonly limit: number
}

const tooEarly = `at least ${usageDaysDefault} days after the year 0 begins, unless from is sent`

const readPeriod = ({ from = "", to = "" }: Pick<UsageQuery, "from" | "to">) => ({
  from: readTime(from),
  to: readTime(to)
})

/** Parses a query for usage, and refuses parameters that contradict each other. */
export const readUsageRequest = Effect.fnUntraced(function* (
  query: UsageQuery
): Effect.fn.Return<UsageRequest, InvalidRequest> {
  const { by = "day", cursor, limit = rowDefault, workspace_id: workspaceId = null } = query
  const time = toUsageTime(readPeriod(query), yield* DateTime.now)
  // If only `to` is sent, the default `from` can be before the year 0, which no timestamp can
  // express.
  if (!hasFourDigitYear(time.from)) return yield* refuse("to", tooEarly)
  const rule = checkPeriod(time)
  if (rule !== undefined) return yield* refuse("to", rule)
  if (cursor === undefined) return { ...time, by, workspaceId, after: null, limit }
  const after = readCursor(by, cursor)
  if (Option.isNone(after)) return yield* refuseCursor()
  return { ...time, by, workspaceId, after: after.value, limit }
})

const UsageView = Schema.Struct({
  day: orNull(
    Schema.String.annotate({ format: "date" }),
    "The day in UTC; null unless grouped by day."
  ),
  workspace_id: orNull(uuid, "Null if grouped by day."),
  key_id: orNull(
    uuid,
    "The key that created the jobs. Null unless grouped by key, and for amounts without a key, " +
      "such as credits."
  ),
  jobs: countField("Number of charged jobs."),
  charged_minutes: makeMinutes("Charged minutes"),
  charged_millis: makeMillis("The charged time"),
  credited_minutes: makeMinutes("Credited minutes minus deducted minutes"),
  credited_millis: makeMillis("The credited time"),
  recognised: countField("Number of pieces in charged jobs that a speech engine recognised."),
  reused: countField("Number of pieces in charged jobs whose stored result was reused."),
  engine_millis: countField("Time that speech engines took for the charged jobs, in milliseconds.")
}).annotate({ identifier: "Usage" })

const example: typeof UsageView.Type = {
  day: "2025-01-02",
  workspace_id: null,
  key_id: null,
  jobs: 2,
  charged_minutes: "2.05",
  charged_millis: 123_456,
  credited_minutes: "600.00",
  credited_millis: 36_000_000,
  recognised: 5,
  reused: 1,
  engine_millis: 31_415
}

export const UsagePage = Schema.Struct({
  from: instant.annotate({ description: "Start of the period, inclusive." }),
  to: instant.annotate({ description: "End of the period, exclusive." }),
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

export const toUsageView = (row: UsageRow): typeof UsageView.Type => ({
  day: row.day === null ? null : toDay(row.day),
  workspace_id: row.workspaceId,
  key_id: row.keyId,
  jobs: row.jobs,
  charged_minutes: toMinutes(row.chargedMillis),
  charged_millis: row.chargedMillis,
  credited_minutes: toMinutes(row.creditedMillis),
  credited_millis: row.creditedMillis,
  recognised: row.recognised,
  reused: row.reused,
  engine_millis: row.engineMillis
})

interface LedgerRequest {
  readonly before: LedgerLine["ordinal"] | null
  readonly limit: number
}

/** Whether a string can be a ledger cursor, which has at most 16 digits. */
const isCursor = (text: string): boolean =>
  /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))

/** Parses a query for a page of a ledger. Fails if the cursor is invalid. */
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
  at: instant.annotate({ description: "When the job was charged or the credit was given." }),
  minutes: makeMinutes("The amount, negative if it was deducted"),
  millis: makeMillis("The amount"),
  job_id: orNull(uuid, "The charged job, which may have been deleted; null for a credit."),
  key_id: orNull(uuid, "The key that created the job; null for a credit or a job without a key."),
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

export const LedgerPage = Schema.Struct({
  data: Schema.Array(LedgerLineView),
  next_cursor: nextCursor
}).annotate({
  identifier: "LedgerPage",
  description: "Ledger lines, newest first.",
  examples: [{ data: examples, next_cursor: null }]
})

/** Converts a ledger line to the format of the API. */
export const toLedgerView = ({
  at,
  millis,
  reason
}: Omit<LedgerLine, "ordinal">): typeof LedgerLineView.Type => ({
  ...none,
  at: DateTime.formatIso(at),
  minutes: toAmount(millis),
  millis,
  ...(reason._tag === "Charge"
    ? { job_id: reason.jobId, key_id: reason.keyId }
    : { credit_id: reason.creditId })
})

const read = describe(
  "Read usage",
  "Returns charged and credited amounts by day, key or workspace. A workspace key reads its own",
  "workspace; an operator key reads all workspaces or one, including deleted ones."
).get("read", "/v1/usage", {
  query: { ...usageQuery, ...pageQuery },
  success: UsagePage,
  error: pickErrors(UsageErrors, 400, 404, 429)
})

/** Parameters and responses that both ledger operations share. */
const ledgerOperation = {
  query: pageQuery,
  success: LedgerPage,
  error: pickErrors(UsageErrors, 400, 404, 429)
} as const

const newestFirst =
  "Lists all charges and credits, newest first. The pages contain each line that existed " +
  "when the first page was read, exactly once. Lines are kept after their job is deleted."

const readLedger = describe(
  "Read the ledger of a workspace",
  newestFirst,
  "An operator key reads any workspace, including deleted ones; a workspace key reads its own."
).get("ledger", "/v1/workspaces/:id/ledger", {
  params: workspaceParams,
  ...ledgerOperation
})

const readOwnLedger = describe("Read the ledger of your own workspace", newestFirst).get(
  "ownLedger",
  "/v1/ledger",
  ledgerOperation
)

export const UsageApi = makeGroup("usage", {
  title: "Usage",
  description: "Charged and credited amounts. Needs a workspace key or an operator key.",
  resource: "usage"
})
  .add(read, readLedger, readOwnLedger)
  .middleware(ParameterRules)
  .middleware(UsageAuthentication)
