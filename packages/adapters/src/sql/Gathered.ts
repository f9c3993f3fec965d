/**
 * Questions that many fibers ask at the same time, put to the database by one statement: while one
 * is on its way, the next ones gather. Nobody waits for company: a lone question leaves at once.
 * The statement runs in the context of whoever asked first, its span and its log annotations.
 */
import { Effect, Exit, Option, Request, RequestResolver, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** How questions of one sort are gathered and answered. */
export interface Gathering<Question, Answer> {
  /** Questions in one statement. */
  readonly sizeMax: number
  /** Whether the database may refuse one of them for what it says, and so all beside it. */
  readonly mayBeRefused: boolean
  /** Answers in the order of the questions. A failure is that of all of them. */
  readonly answer: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<ReadonlyArray<Answer>, SqlError.SqlError>
}

/**
 * Statements on their way at a time. With one the database would idle while its answer travels;
 * with more they would take few questions each.
 */
const underwayMax = 2

/** Who asked. Whoever is interrupted has gone. */
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
  "LockTimeoutError"
])

/** The classes of states in which a value is what is wrong, or a row would be written twice. */
const isAboutValue = (cause: unknown): boolean =>
  /^2[12]/.test(String((cause as { readonly code?: unknown } | null)?.code))

/** Nothing was written, and for what one question said. Other failures are everybody's. */
const isRefusal = ({ reason }: SqlError.SqlError): boolean =>
  refusals.has(reason._tag) || isAboutValue(reason.cause)

/** Runs for as long as one of the callers waits: a statement for nobody is taken back. */
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

/**
 * Asks together with others, or alone inside a transaction. Where a question is refused, those
 * beside it are put again one by one, as long as their callers wait.
 */
export const gathered = <Question, Answer>(
  sql: SqlClient.SqlClient,
  { answer, mayBeRefused, sizeMax }: Gathering<Question, Answer>
): ((question: Question) => Effect.Effect<Answer, SqlError.SqlError>) => {
  const transaction = Effect.serviceOption(sql.transactionService)
  const underway = Semaphore.makeUnsafe(underwayMax)

  const alone = (question: Question) => Effect.map(answer([question]), ([only]) => only as Answer)

  const oneByOne = (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    Effect.forEach(
      entries,
      (entry) => {
        const { caller, question } = entry.request
        if (caller.isGone) return Effect.sync(() => entry.completeUnsafe(Exit.interrupt()))
        return Effect.map(Effect.exit(alone(question)), (exit) => entry.completeUnsafe(exit))
      },
      { discard: true }
    )

  const all = (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    answer(entries.map(({ request }) => request.question)).pipe(
      Effect.map((answers) =>
        entries.forEach((entry, index) => {
          entry.completeUnsafe(Exit.succeed(answers[index] as Answer))
        })
      ),
      Effect.catch((error) =>
        mayBeRefused && entries.length > 1 && isRefusal(error)
          ? oneByOne(entries)
          : Effect.fail(error)
      )
    )

  const resolver = RequestResolver.make<Asked<Question, Answer>>((entries) =>
    underway.withPermits(1)(whileAwaited(entries, all(entries)))
  ).pipe(
    // Until there is room, and once more around: fibers that wake together ask together.
    RequestResolver.setDelayEffect(
      Effect.andThen(Effect.yieldNow, underway.withPermits(1)(Effect.void))
    ),
    RequestResolver.batchN(sizeMax)
  )
  const asked = Request.of<Asked<Question, Answer>>()

  const together = (question: Question) => {
    const caller: Caller = { isGone: false, leave: () => undefined }
    const leave = Effect.sync(() => {
      caller.isGone = true
      caller.leave()
    })
    return Effect.onInterrupt(Effect.request(asked({ question, caller }), resolver), () => leave)
  }

  return (question) =>
    Effect.flatMap(
      transaction,
      Option.match({ onNone: () => together(question), onSome: () => alone(question) })
    )
}
