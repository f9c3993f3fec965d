/**
 * Creates spans that cost nothing while tracing is off, and continues traces in another fiber or
 * process.
 */
import { Context, Effect, Option, References, Tracer } from "effect"
import { formatTraceParent, parseTraceParent } from "../domain/job/TraceParent.ts"

type Body = (...args: ReadonlyArray<unknown>) => unknown

type Pipeable = (
  effect: Effect.Effect<unknown, unknown, unknown>,
  ...args: ReadonlyArray<unknown>
) => Effect.Effect<unknown, unknown, unknown>

type Run = (...args: ReadonlyArray<unknown>) => ReturnType<Pipeable>

/**
 * Converts a function body (a generator, or a function that returns an effect) to a function that
 * returns an effect.
 */
const toRun =
  (body: Body): Run =>
  (...args) => {
    const result = body(...args)
    return Effect.isEffect(result) ? result : Effect.gen(() => result as Generator<never>)
  }

/** Creates a function like `Effect.fn` does, but without a span and without a stack frame. */
const bare = (body: Body, pipeables: ReadonlyArray<Pipeable>): Run => {
  const run = toRun(body)
  // `Effect.suspend` is not needed, because the calling effect is already running.
  if (pipeables.length === 0) return run
  return (...args) => {
    let effect: ReturnType<Pipeable> = Effect.suspend(() => run(...args))
    for (const pipe of pipeables) effect = pipe(effect, ...args)
    return effect
  }
}

/**
 * Like a named `Effect.fn`, but cheaper, for code that runs for each request or job. `trace` leaves
 * out the `Error` that records a span's stack frame and, if `TracerEnabled` is off, the span
 * itself. A call without a span costs 0.3 µs instead of 2.8 µs, which saves a fifth of what a job
 * costs its worker.
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

/**
 * Whether traces are exported. Effect's native tracer exports none, so nothing could look up its
 * traces.
 */
const isTracing = (context: Context.Context<never>): boolean =>
  Context.get(context, References.TracerEnabled) &&
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer

/** The current span, for later code that continues its trace; undefined if there is none. */
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

/** A span that continues the trace of another span. */
export interface ContinuedSpan {
  readonly name: string
  /** The value of `currentTraceParent` in the other span. If undefined, a new trace begins. */
  readonly traceParent: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Runs an effect in a span that continues a trace, if tracing is on. */
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
