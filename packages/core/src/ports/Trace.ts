/**
 * Spans that cost nothing while nobody traces, and how a trace goes on where another fiber, or
 * another process, left it.
 */
import { Context, Effect, Option, References, Tracer } from "effect"
import { formatTraceParent, parseTraceParent } from "../domain/job/TraceParent.ts"

type Body = (...args: ReadonlyArray<unknown>) => unknown

type Pipeable = (
  effect: Effect.Effect<unknown, unknown, unknown>,
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, unknown, unknown>

type Run = (...args: ReadonlyArray<unknown>) => ReturnType<Pipeable>

/** Runs a body, whether it is a generator or makes an effect by itself. */
const toRun =
  (body: Body): Run =>
  (...args) => {
    const result = body(...args)
    return Effect.isEffect(result) ? result : Effect.gen(() => result as Generator<never>)
  }

/** What `Effect.fn` makes of a body, without its span and its place in the stack. */
const bare = (body: Body, pipeables: ReadonlyArray<Pipeable>): Run => {
  const run = toRun(body)
  // Whoever asks is running already.
  if (pipeables.length === 0) return run
  return (...args) => {
    let effect: ReturnType<Pipeable> = Effect.suspend(() => run(...args))
    for (const pipe of pipeables) effect = pipe(effect, ...args)
    return effect
  }
}

/**
 * `Effect.fn` under a name, for whatever a request or a job passes through. It leaves out the
 * `Error` that tells a span's place in the stack, and, where `TracerEnabled` is off, the span too:
 * 0.3 instead of 2.8 µs, and a fifth of what a job costs its worker.
 */
export const trace = (
  name: string,
  options: Pick<Tracer.SpanOptions, "kind"> = {}
): Effect.fn.Traced =>
  ((body: Body, ...pipeables: ReadonlyArray<Pipeable>) => {
    const plain = bare(body, pipeables)
    return (...args: ReadonlyArray<unknown>) =>
      Effect.withFiber((fiber) =>
        fiber.getRef(References.TracerEnabled)
          ? Effect.withSpan(
              Effect.suspend(() => plain(...args)),
              name,
              { ...options, captureStackTrace: false }
            )
          : plain(...args)
      )
  }) as Effect.fn.Traced

/** Effect's own tracer keeps spans to itself: a trace of it can be found by nobody. */
const isTracing = (context: Context.Context<never>): boolean =>
  Context.get(context, References.TracerEnabled) &&
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer

/** The span that runs now, for those who go on with its trace later; nothing where none does. */
export const currentTraceParent: Effect.Effect<string | undefined> = Effect.contextWith(
  (context: Context.Context<never>) =>
    Effect.succeed(
      isTracing(context)
        ? Option.getOrUndefined(
            Option.map(Context.getOption(context, Tracer.ParentSpan), formatTraceParent)
          )
        : undefined
    )
)

/** A span that takes work up which was left by another one. */
export interface ContinuedSpan {
  readonly name: string
  /** As `currentTraceParent` gave it; without one, a new trace begins. */
  readonly traceParent: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Runs an effect in such a span, where anybody traces. */
export const continueTrace =
  ({ attributes, name, traceParent = "" }: ContinuedSpan) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      if (!fiber.getRef(References.TracerEnabled)) return effect
      const parent = Option.map(parseTraceParent(traceParent), Tracer.externalSpan)
      return Effect.withSpan(effect, name, {
        attributes,
        captureStackTrace: false,
        kind: "consumer",
        ...Option.match(parent, {
          onNone: () => ({ root: true }),
          onSome: (found) => ({ parent: found })
        })
      }) as Effect.Effect<A, E, R>
    })
