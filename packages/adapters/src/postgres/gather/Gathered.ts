/**
 * Questions that many fibers ask at the same time, put to the database by one statement: while one
 * is on its way, the next ones gather; a lone question leaves at once. Each is answered for itself:
 * one that a shared statement leaves open is asked again alone, and one that finds its row locked
 * even then waits for it on one of a few sessions, until its deadline.
 */
import { Deadline, remainingWait, withLockDeadline } from "@verbatim/core/ports"
import {
  Context,
  Duration,
  Effect,
  Exit,
  identity,
  Option,
  Request,
  RequestResolver,
  Semaphore
} from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { traitsOf } from "../../sql/ClientTraits.ts"
import { isLocked } from "../../sql/migration/MigrationError.ts"
import { sqlMetrics } from "../../sql/SqlCounts.ts"
import type { QuestionName } from "../../sql/SqlTable.ts"
import { makeTurns, withPlace } from "./Turns.ts"

/** How questions of one sort are gathered and answered. */
export interface Gathering<Question, Answer> {
  /** What is asked, for those who count. */
  readonly name: QuestionName
  /** Questions in one statement. */
  readonly sizeMax: number
  /**
   * What a question changes. Two that change the same thing are never in one statement: the later
   * one waits for the answer to the first. None for a question that only reads.
   */
  readonly subjects: (question: Question) => ReadonlyArray<string>
  /**
   * Answers in the order of the questions, as far as one statement finds them without waiting for
   * anybody. A failure is a failure of all.
   */
  readonly answerAll: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Option.Option<Answer>>, SqlError.SqlError>
  /** The answer to one question by itself, which may wait that long for a lock. */
  readonly answerOne: (
    question: Question,
    wait: LockWait
  ) => Effect.Effect<Answer, SqlError.SqlError>
  /**
   * What a write locks apart from its subjects, and others of this process with it: by themselves,
   * they wait for it one at a time. None for a question that only reads.
   */
  readonly locks?: (question: Question) => ReadonlyArray<string>
}

/** Milliseconds for which a statement waits for a lock; none for as long as its session may. */
export type LockWait = number | undefined

/** A limit on waiting for locks. At least 1: in Postgres zero means no limit. */
export const lockMillis = (left: Duration.Duration): number =>
  Math.max(1, Math.floor(Duration.toMillis(left)))

/** A condition, true of every row, with which a statement limits its waiting for locks. */
export const lockLimit = (sql: SqlClient.SqlClient, wait: LockWait): Statement.Fragment =>
  wait === undefined
    ? sql``
    : sql`WHERE set_config('lock_timeout', ${String(wait)}, TRUE) IS NOT NULL`

/** How long a shared statement waits where it has to: many times what most transactions take. */
export const sharedWaitMillis = 100

/**
 * How long a question waits by itself before it takes one of the few places for those that wait:
 * longer than a shared statement, which may hold what it needs while it waits for something else.
 */
const briefWaitMillis = 300

/** Places for questions that wait for locks, where the number of sessions is not known. */
const waitersMax = 4

/** Writes in one statement: jobs that a process accepts or ends at the same time. */
export const writesMax = 32

/**
 * Statements on their way at a time. With one the database would idle while its answer travels;
 * with more they would take few questions each.
 */
export const underwayMax = 2

/** The one who asked. Whoever is interrupted has gone. */
interface Caller {
  isGone: boolean
  leave: () => void
}

interface Asked<Question, Answer> extends Request.Request<Answer, SqlError.SqlError> {
  readonly question: Question
  readonly caller: Caller
}

type Entry<Question, Answer> = Request.Entry<Asked<Question, Answer>>

const refusals: ReadonlySet<string> = new Set([
  "UniqueViolation",
  "ConstraintError",
  "DeadlockError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** The classes of SQL states that blame a value, or a row that would be written twice. */
const isAboutValue = (cause: unknown): boolean =>
  /^2[12]/.test(String((cause as { readonly code?: unknown } | null)?.code))

/** Nothing was written, perhaps because of one question. Other failures are everybody's. */
const isRefusal = ({ reason }: SqlError.SqlError): boolean =>
  refusals.has(reason._tag) || isAboutValue(reason.cause)

/** Runs for as long as a caller waits: a statement without callers is cancelled. */
const whileAwaited = <A, E>(
  entries: ReadonlyArray<{ readonly request: { readonly caller: Caller } }>,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.raceFirst(
    effect,
    Effect.callback<never>((resume) => {
      let left = entries.length
      const leave = () => {
        left -= 1
        if (left === 0) resume(Effect.interrupt)
      }
      for (const { request } of entries) {
        if (request.caller.isGone) leave()
        else request.caller.leave = leave
      }
    })
  )

/** Answers by one statement, and returns the entries that it leaves open. */
const makeAll =
  <Question, Answer>({
    answerAll,
    name
  }: Pick<Gathering<Question, Answer>, "answerAll" | "name">) =>
  (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    sqlMetrics.questions.record({ question: name }, entries.length).pipe(
      Effect.andThen(answerAll(entries.map(({ request }) => request.question))),
      Effect.map((answers) =>
        entries.filter((entry, place) => {
          const answer = answers[place] ?? Option.none()
          if (Option.isSome(answer)) entry.completeUnsafe(Exit.succeed(answer.value))
          return Option.isNone(answer)
        })
      ),
      Effect.catchIf(isRefusal, () => Effect.succeed(entries)),
      // That of the first caller is not that of the others.
      Effect.provideService(Deadline, undefined)
    )

/** Asks by a resolver; an interrupted caller says that it does not wait for the answer. */
const makeTogether = <Question, Answer>(
  resolver: RequestResolver.RequestResolver<Asked<Question, Answer>>
) => {
  const asked = Request.of<Asked<Question, Answer>>()
  return (question: Question) => {
    const caller: Caller = { isGone: false, leave: () => undefined }
    const leave = Effect.sync(() => {
      caller.isGone = true
      caller.leave()
    })
    return Effect.onInterrupt(Effect.request(asked({ question, caller }), resolver), () => leave)
  }
}

/** Asks together with others, or alone inside a transaction of the client. */
export const gather = <Question, Answer>(
  sql: SqlClient.SqlClient,
  { answerAll, answerOne, name, sizeMax, subjects, locks }: Gathering<Question, Answer>
): ((question: Question) => Effect.Effect<Answer, SqlError.SqlError>) => {
  const transaction = Effect.serviceOption(sql.transactionService)
  const underway = Semaphore.makeUnsafe(underwayMax)
  const inTurn = makeTurns()
  const { waiters = Semaphore.makeUnsafe(waitersMax), waitMax } = traitsOf(sql)
  // A read waits for no lock.
  const asking = locks === undefined ? identity : withLockDeadline(waitMax)
  const inLockTurn = makeTurns()

  const all = makeAll({ answerAll, name })
  const waiting = (question: Question) =>
    withPlace(
      waiters,
      Effect.flatMap(remainingWait, (left) =>
        answerOne(question, Duration.isFinite(left) ? lockMillis(left) : undefined)
      )
    )

  const one = (entry: Entry<Question, Answer>) => {
    const { question } = entry.request
    const answer = inLockTurn(
      locks?.(question) ?? [],
      Effect.catchIf(answerOne(question, briefWaitMillis), isLocked, () => waiting(question))
    ).pipe(Effect.provideService(Deadline, Context.get(entry.context, Deadline)))
    return Effect.map(Effect.exit(whileAwaited([entry], answer)), entry.completeUnsafe)
  }

  const resolver = RequestResolver.make<Asked<Question, Answer>>((entries) =>
    // The next ones leave while those that were left open wait for their own answers.
    Effect.flatMap(underway.withPermits(1)(whileAwaited(entries, all(entries))), (open) =>
      Effect.forEach(open, one, { concurrency: "unbounded", discard: true })
    )
  ).pipe(
    // Until there is room, and for one more turn: fibers that wake together ask together.
    RequestResolver.setDelayEffect(
      Effect.andThen(Effect.yieldNow, underway.withPermits(1)(Effect.void))
    ),
    RequestResolver.batchN(sizeMax)
  )
  const together = makeTogether(resolver)

  return (question) =>
    Effect.flatMap(
      transaction,
      Option.match({
        onNone: () => asking(inTurn(subjects(question), together(question))),
        onSome: () => answerOne(question, undefined)
      })
    )
}
