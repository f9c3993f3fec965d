/**
 * Batches requests that many fibers make at the same time into one statement. While one statement
 * runs, further requests are collected; a single request is sent immediately. Each request gets its
 * own answer. A request that a batch does not answer is run again on its own. If the row is still
 * locked, the request waits for the lock in one of a few sessions, until its deadline.
 */
import { Deadline, remainingWait, untilDeadline, withLockDeadline } from "@verbatim/core/ports"
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
import { capabilitiesOf } from "../../sql/ClientCapabilities.ts"
import { isLocked } from "../../sql/migration/MigrationError.ts"
import { type BatchName, sqlMetrics } from "../../sql/SqlMetrics.ts"
import { lockTimeoutError } from "../../sql/session/ClientErrors.ts"
import { makeKeyedLocks } from "../../sql/session/KeyedLocks.ts"

/** Functions that answer requests of one kind, one at a time. */
export interface Answering<Question, Answer> {
  /** Answers a single request, waiting for a lock for at most the given time. */
  readonly answerOne: (
    question: Question,
    wait: LockWait
  ) => Effect.Effect<Answer, SqlError.SqlError>
  /**
   * Returns the ids or keys of the rows that a request changes; a read changes none. If two
   * requests change the same row, the later one waits until the earlier one is answered.
   */
  readonly subjects: (question: Question) => ReadonlyArray<string>
}

/** Functions that answer requests of one kind, several at a time. */
interface Batching<Question, Answer> extends Answering<Question, Answer> {
  /** The name of these requests in metrics. */
  readonly name: BatchName
  /** Maximum number of requests per statement. */
  readonly sizeMax: number
  /** Whether the requests write, so that they can wait for locks until a deadline. */
  readonly isWrite: boolean
  /**
   * Returns the answers that one statement finds without waiting, in the order of the requests. If
   * the statement fails, all requests fail.
   */
  readonly answerAll: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Option.Option<Answer>>, SqlError.SqlError>
}

/**
 * Maximum time in milliseconds that a statement waits for a lock. If undefined, the session's limit
 * applies.
 */
export type LockWait = number | undefined

/**
 * Converts a duration to a lock timeout of at least 1, because zero means no limit in Postgres.
 */
export const lockMillis = (wait: Duration.Duration): number =>
  Math.max(1, Math.floor(Duration.toMillis(wait)))

/** An SQL condition that is always true. Evaluating it limits the statement's wait for locks. */
export const lockLimit = (sql: SqlClient.SqlClient, wait: LockWait): Statement.Fragment =>
  wait === undefined
    ? sql``
    : sql`WHERE set_config('lock_timeout', ${String(wait)}, TRUE) IS NOT NULL`

/**
 * How long a batched statement can wait for a lock: many times longer than most transactions take.
 */
export const sharedWaitMillis = 100

/**
 * How long a single request waits for a lock before it takes one of the few permits for longer
 * waits. A batched statement waits for a shorter time, because it may hold one lock while waiting
 * for another.
 */
const briefWaitMillis = 300

/** The number of permits for longer waits if the number of sessions is unknown. */
const waitersMax = 4

/**
 * Maximum number of writes in one statement. A process accepts or finishes about this many jobs at
 * the same time.
 */
export const writesMax = 32

/**
 * Number of concurrent statements. If there were only one, the database would be idle while a
 * result is in transit; if there were more, each statement would serve fewer requests.
 */
export const activeMax = 2

/** Whether the caller of a request is still waiting. An interrupted caller is no longer waiting. */
interface Caller {
  isGone: boolean
  leave: () => void
}

interface BatchRequest<Question, Answer> extends Request.Request<Answer, SqlError.SqlError> {
  readonly question: Question
  readonly caller: Caller
}

type Entry<Question, Answer> = Request.Entry<BatchRequest<Question, Answer>>

const refusals: ReadonlySet<string> = new Set([
  "UniqueViolation",
  "ConstraintError",
  "DeadlockError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

/** Whether an SQL state reports an invalid value, or a row that would be written twice. */
const isAboutValue = (cause: unknown): boolean =>
  /^2[12]/.test(String((cause as { readonly code?: unknown } | null)?.code))

/**
 * Whether the statement wrote nothing because of a failure that a single request may have caused.
 * All other failures affect every request.
 */
const isRefusal = ({ reason }: SqlError.SqlError): boolean =>
  refusals.has(reason._tag) || isAboutValue(reason.cause)

/**
 * Runs an effect as long as at least one of the callers is waiting for it, and otherwise cancels
 * it.
 */
const whileAwaited = <A, E>(
  entries: ReadonlyArray<{ readonly request: { readonly caller: Caller } }>,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.raceFirst(
    effect,
    Effect.callback<never>((resume) => {
      let remaining = entries.length
      const leave = () => {
        remaining -= 1
        if (remaining === 0) resume(Effect.interrupt)
      }
      for (const { request } of entries) {
        if (request.caller.isGone) leave()
        else request.caller.leave = leave
      }
    })
  )

/** Answers requests with one statement, and returns the requests that it did not answer. */
const makeAnswerAll =
  <Question, Answer>({ answerAll, name }: Pick<Batching<Question, Answer>, "answerAll" | "name">) =>
  (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    sqlMetrics.batchSize.record({ batch: name }, entries.length).pipe(
      Effect.andThen(answerAll(entries.map(({ request }) => request.question))),
      Effect.map((answers) =>
        entries.filter((entry, index) => {
          const answer = answers[index] ?? Option.none()
          if (Option.isSome(answer)) entry.completeUnsafe(Exit.succeed(answer.value))
          return Option.isNone(answer)
        })
      ),
      Effect.catchIf(isRefusal, () => Effect.succeed(entries)),
      // The statement serves several callers, so the first caller's deadline does not apply to it.
      Effect.provideService(Deadline, undefined)
    )

/** Submits requests to a resolver. An interrupted caller is marked as no longer waiting. */
const makeSubmit = <Question, Answer>(
  resolver: RequestResolver.RequestResolver<BatchRequest<Question, Answer>>
) => {
  const makeRequest = Request.of<BatchRequest<Question, Answer>>()
  return (question: Question) => {
    const caller: Caller = { isGone: false, leave: () => undefined }
    const leave = Effect.sync(() => {
      caller.isGone = true
      caller.leave()
    })
    return Effect.onInterrupt(
      Effect.request(makeRequest({ question, caller }), resolver),
      () => leave
    )
  }
}

/**
 * Returns a function that answers one request. If a row is still locked after a brief wait, the
 * request waits for the lock in one of a few sessions, until its deadline.
 */
const makeAnswerAlone = <Question, Answer>(
  sql: SqlClient.SqlClient,
  { answerOne }: Pick<Answering<Question, Answer>, "answerOne">
) => {
  const { waiters = Semaphore.makeUnsafe(waitersMax) } = capabilitiesOf(sql)
  const answerPatiently = (question: Question) =>
    withPermit(
      waiters,
      Effect.flatMap(remainingWait, (wait) =>
        answerOne(question, Duration.isFinite(wait) ? lockMillis(wait) : undefined)
      )
    )
  return (question: Question) =>
    Effect.catchIf(answerOne(question, briefWaitMillis), isLocked, () => answerPatiently(question))
}

/** Runs each request separately inside one of the client's transactions. */
const unlessInTransaction = <Question, Answer>(
  sql: SqlClient.SqlClient,
  { answerOne }: Pick<Answering<Question, Answer>, "answerOne">,
  otherwise: (question: Question) => Effect.Effect<Answer, SqlError.SqlError>
) => {
  const transaction = Effect.serviceOption(sql.transactionService)
  return (question: Question) =>
    Effect.flatMap(transaction, (outer) =>
      Option.isNone(outer) ? otherwise(question) : answerOne(question, undefined)
    )
}

/**
 * Returns a function that answers each request separately. Requests that change the same row run
 * one after another.
 */
export const makeOrdered = <Question, Answer>(
  sql: SqlClient.SqlClient,
  answering: Answering<Question, Answer>
): ((question: Question) => Effect.Effect<Answer, SqlError.SqlError>) => {
  const inOrder = makeRowLocks()
  const answerAlone = makeAnswerAlone(sql, answering)
  const withDeadline = withLockDeadline(capabilitiesOf(sql).waitMax)
  return unlessInTransaction(sql, answering, (question) =>
    withDeadline(inOrder(answering.subjects(question), answerAlone(question)))
  )
}

/** Returns a function that batches requests. */
export const makeBatched = <Question, Answer>(
  sql: SqlClient.SqlClient,
  batching: Batching<Question, Answer>
): ((question: Question) => Effect.Effect<Answer, SqlError.SqlError>) => {
  const { isWrite, sizeMax, subjects } = batching
  const active = Semaphore.makeUnsafe(activeMax)
  const inOrder = makeRowLocks()
  const withDeadline = isWrite ? withLockDeadline(capabilitiesOf(sql).waitMax) : identity
  const all = makeAnswerAll(batching)
  const answerAlone = makeAnswerAlone(sql, batching)

  const one = (entry: Entry<Question, Answer>) => {
    const answer = answerAlone(entry.request.question).pipe(
      Effect.provideService(Deadline, Context.get(entry.context, Deadline))
    )
    return Effect.map(Effect.exit(whileAwaited([entry], answer)), entry.completeUnsafe)
  }

  const resolver = RequestResolver.make<BatchRequest<Question, Answer>>((entries) =>
    // The next batch is sent while this batch's unanswered requests are answered one by one.
    Effect.flatMap(active.withPermits(1)(whileAwaited(entries, all(entries))), (open) =>
      Effect.forEach(open, one, { concurrency: "unbounded", discard: true })
    )
  ).pipe(
    // Waits until a statement can start, then yields once, so that all fibers that resume at this
    // moment share a batch.
    RequestResolver.setDelayEffect(
      Effect.andThen(Effect.yieldNow, active.withPermits(1)(Effect.void))
    ),
    RequestResolver.batchN(sizeMax)
  )
  const submit = makeSubmit(resolver)

  return unlessInTransaction(sql, batching, (question) =>
    withDeadline(inOrder(subjects(question), submit(question)))
  )
}

/** Runs an effect while no other effect holds a lock on the same rows. */
type RunLocked = <A, E, R>(
  subjects: ReadonlyArray<string>,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>

const refusal = () => lockTimeoutError("others were writing the same until the deadline")

/** Runs an effect with a permit if a permit becomes free before the deadline. */
const withPermit = <A, E, R>(
  permits: Semaphore.Semaphore,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.scoped(Effect.andThen(untilDeadline(refusal)(permits.takeScoped(1)), effect))

/**
 * Creates locks for rows of one kind: effects that change the same row run one at a time, in order
 * of arrival. A caller that does not get all locks before its deadline fails with the same error as
 * a caller that waited too long for a database lock.
 */
const makeRowLocks = (): RunLocked => {
  const withLock = makeKeyedLocks<string>()
  const runLocked = <A, E, R>(subject: string, effect: Effect.Effect<A, E, R>) =>
    // If the permit is free, as it usually is, no scope has to be created for the wait.
    withLock<A, E | SqlError.SqlError, R>(subject, ({ callers, semaphore }) =>
      callers > 1 ? withPermit(semaphore, effect) : semaphore.withPermits(1)(effect)
    )

  // All callers take the locks in the same order, so that no two callers deadlock.
  return <A, E, R>(subjects: ReadonlyArray<string>, effect: Effect.Effect<A, E, R>) =>
    [...new Set(subjects)]
      .sort()
      .reduceRight<Effect.Effect<A, E | SqlError.SqlError, R>>(
        (inner, subject) => runLocked(subject, inner),
        effect
      )
}
