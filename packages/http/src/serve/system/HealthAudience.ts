/**
 * Who reads a report. None of its routes needs a key; with that of an operator, or a management
 * key, it also says what an engine said.
 */
import { OperatorKeys } from "@verbatim/core/services"
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authenticator } from "../auth/Authentication.ts"
import { type Audience, Health, type HealthReport } from "./Health.ts"

/** A store that is silent must not hold up a report that says so. */
const patience = Duration.seconds(2)

/** The scheme may be written in either case (RFC 9110, 11.1). */
const bearer = /^bearer +(\S+)$/i

/** Finds the reader among the keys that the process can look up. */
const makeAudience = Effect.gen(function* () {
  const operators = yield* Effect.serviceOption(OperatorKeys)
  const authenticator = yield* Effect.serviceOption(Authenticator)

  const isManager = (shown: Parameters<Authenticator["Service"]["identify"]>[0]) =>
    Option.match(authenticator, {
      onNone: () => Effect.succeed(false),
      onSome: ({ identify }) => Effect.map(identify(shown), ({ kind }) => kind !== "inference")
    })

  const isOperator = (credential: Redacted.Redacted) =>
    Option.match(operators, {
      onNone: () => Effect.succeed(false),
      onSome: ({ authenticate }) => Effect.isSuccess(authenticate(credential))
    })

  return Effect.gen(function* (): Effect.fn.Return<
    Audience,
    never,
    HttpServerRequest.HttpServerRequest
  > {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [, token] = bearer.exec(request.headers.authorization ?? "") ?? []
    if (token === undefined) return { isTrusted: false }
    const credential = Redacted.make(token)
    const isTrusted = isOperator(credential).pipe(
      Effect.flatMap((is) => (is ? Effect.succeed(true) : isManager({ credential, request }))),
      Effect.timeoutOption(patience),
      Effect.map(Option.getOrElse(() => false)),
      Effect.catchCause(() => Effect.succeed(false))
    )
    return { isTrusted: yield* isTrusted }
  })
})

/** A report, and who reads it. */
export type ReadReport = readonly [HealthReport, Audience]

/** Makes the question that both doors ask: the report, and who reads it. */
export const makeReading = Effect.gen(function* () {
  const { report } = yield* Health
  return Effect.zip(report, yield* makeAudience, { concurrent: true })
})
