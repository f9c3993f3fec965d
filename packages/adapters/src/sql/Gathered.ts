/**
 * Questions that many fibers ask at the same time, put to the database by one statement: while one
 * is on its way, the next ones gather. Nobody waits for company: a lone question leaves at once.
 */
import { Effect, Exit, Option, Request, RequestResolver, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** How questions of one sort are gathered and answered. */
export interface Gathering<Question, Answer> {
  /** Questions in one statement. */
  readonly sizeMax: number
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

interface Asked<Question, Answer> extends Request.Request<Answer, SqlError.SqlError> {
  readonly question: Question
}

type Entry<Question, Answer> = Request.Entry<Asked<Question, Answer>>

/** A lost answer is everybody's: nobody knows what was written. What is refused wrote nothing. */
const isRefusal = ({ reason }: SqlError.SqlError): boolean => reason._tag !== "ConnectionError"

/**
 * Asks together with others, or alone inside a transaction. A question that the database refuses
 * fails alone: those beside it are put again, each by itself.
 */
export const gathered = <Question, Answer>(
  sql: SqlClient.SqlClient,
  { answer, sizeMax }: Gathering<Question, Answer>
): ((question: Question) => Effect.Effect<Answer, SqlError.SqlError>) => {
  const transaction = Effect.serviceOption(sql.transactionService)
  const underway = Semaphore.makeUnsafe(underwayMax)

  const alone = (question: Question) => Effect.map(answer([question]), ([only]) => only as Answer)

  const each = (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    Effect.forEach(
      entries,
      (entry) =>
        Effect.map(Effect.exit(alone(entry.request.question)), (exit) =>
          entry.completeUnsafe(exit)
        ),
      { concurrency: underwayMax, discard: true }
    )

  const all = (entries: ReadonlyArray<Entry<Question, Answer>>) =>
    answer(entries.map(({ request }) => request.question)).pipe(
      Effect.map((answers) =>
        entries.forEach((entry, index) => {
          entry.completeUnsafe(Exit.succeed(answers[index] as Answer))
        })
      ),
      Effect.catch((error) =>
        entries.length > 1 && isRefusal(error) ? each(entries) : Effect.fail(error)
      )
    )

  const resolver = RequestResolver.make<Asked<Question, Answer>>((entries) =>
    underway.withPermits(1)(all(entries))
  ).pipe(
    // Until there is room, and once more around: fibers that wake together ask together.
    RequestResolver.setDelayEffect(
      Effect.andThen(Effect.yieldNow, underway.withPermits(1)(Effect.void))
    ),
    RequestResolver.batchN(sizeMax)
  )
  const asked = Request.of<Asked<Question, Answer>>()
  return (question) =>
    Effect.flatMap(
      transaction,
      Option.match({
        onNone: () => Effect.request(asked({ question }), resolver),
        onSome: () => alone(question)
      })
    )
}
