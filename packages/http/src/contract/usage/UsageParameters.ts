/**
 * Which sums a request asks for.
 */
import { InvalidRequest, isTellable, makeJudge, readTime, timePattern } from "@verbatim/core/schema"
import {
  judgeUsageTime,
  toUsageTime,
  UsageBy,
  type UsageSubject,
  type UsageTime,
  usageDaysDefault,
  usageDaysMax,
  WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import { makeLate } from "../LateParameters.ts"
import { pageFields, refuse, refuseCursor, rowDefault, shownPage, Text } from "./PageParameters.ts"
import { readCursor } from "./UsageCursor.ts"

/** As the description shows it. */
const Uuid = Schema.String.check(Schema.isUUID())

const Time = Text.check(
  Schema.makeFilter<string>((text) => Option.isSome(readTime(text)), {
    message: "must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"
  })
)

const Query = Schema.Struct({
  from: Schema.optionalKey(Time),
  to: Schema.optionalKey(Time),
  by: Schema.optionalKey(UsageBy),
  workspace_id: Schema.optionalKey(
    Text.check(Schema.isUUID(undefined, { message: "must be a UUID" })).pipe(
      Schema.decodeTo(WorkspaceId)
    )
  ),
  ...pageFields
})

/** The parameters as they arrive, and as the description shows them. */
export const usageQuery = {
  from: makeLate({
    type: "string",
    pattern: timePattern,
    description:
      "The first instant that is counted, or the day of UTC that begins with it; " +
      `${usageDaysDefault} days before \`to\` when left out.`
  }),
  to: makeLate({
    type: "string",
    pattern: timePattern,
    description:
      "The first instant that is not counted any more, or the day of UTC that begins with it; " +
      `the end of today when left out. At most ${usageDaysMax} days after \`from\`.`
  }),
  by: makeLate({
    type: "string",
    enum: UsageBy.literals,
    default: "day",
    description: "What each row is about."
  }),
  workspace_id: makeLate({
    ...Schema.toJsonSchemaDocument(Uuid).schema,
    description: "One workspace. A key of a workspace reads its own in any case."
  }),
  ...shownPage
}

/** What is asked for. */
export interface Wanted extends UsageTime {
  readonly by: UsageBy
  readonly workspaceId: WorkspaceId | null
  readonly after: UsageSubject | null
  readonly limit: number
}

const tooEarly = `at least ${usageDaysDefault} days after the year 0 begins, unless from is sent`

const judge = makeJudge({ schema: Query, names: Object.keys(Query.fields) })
const decode = Schema.decodeUnknownEffect(Query)

const timeOf = ({ from = "", to = "" }: Pick<typeof Query.Type, "from" | "to">) => ({
  from: readTime(from),
  to: readTime(to)
})

/** Reads the parameters, or names what is wrong with them. */
export const readWanted = Effect.fnUntraced(function* (
  given: unknown
): Effect.fn.Return<Wanted, InvalidRequest> {
  const [first, ...others] = judge(given)
  if (first !== undefined) return yield* new InvalidRequest({ problems: [first, ...others] })
  const query = yield* Effect.orDie(decode(given))
  const { by = "day", cursor, limit = rowDefault, workspace_id: workspaceId = null } = query
  const time = toUsageTime(timeOf(query), yield* DateTime.now)
  // Where only an end is sent, what goes before it may have no name.
  if (!isTellable(time.from)) return yield* refuse("to", tooEarly)
  const rule = judgeUsageTime(time)
  if (rule !== undefined) return yield* refuse("to", rule)
  if (cursor === undefined) return { ...time, by, workspaceId, after: null, limit }
  const after = readCursor(by, cursor)
  if (Option.isNone(after)) return yield* refuseCursor()
  return { ...time, by, workspaceId, after: after.value, limit }
})
