/**
 * A tracer of what somebody asked for: traces begin with a request or with an attempt at a job, and
 * not in what a process does by itself, such as looking for work. A span that fails says of what
 * kind the failure was, and nothing else: messages may hold what a client sent.
 */
import { Cause, Exit, Option, Predicate, Tracer } from "effect"

/** The kinds of spans that stand for something that came from outside. */
const beginners: ReadonlySet<Tracer.SpanKind> = new Set(["server", "consumer"])

/** Kinds of failures that are remembered. They are names in code; there are some dozens. */
const rememberedMax = 512

const known = new Map<string, Exit.Exit<never, unknown>>()

const fallback = "Error"

/** The kind of a failure, by its tag or by the name of its class. */
const nameOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const names = ["_tag", "name"].map((key) =>
    Predicate.hasProperty(error, key) ? error[key] : undefined
  )
  return names.find(isName) ?? fallback
}

/** What code calls an error; anything else in its place came from elsewhere. */
const isName = (text: unknown): text is string =>
  typeof text === "string" && /^\w{1,64}$/.test(text)

/** The same end without what it says. */
const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const name = nameOf(exit.cause)
  const found = known.get(name)
  if (found !== undefined) return found
  // Without a stack, which tells of us and is the same for all.
  const made = Exit.fail({ name, message: name, stack: name })
  if (known.size < rememberedMax) known.set(name, made)
  return made
}

/** Keeps a tracer to what somebody asked for. */
export const over = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isAskedFor = Option.isSome(options.parent) || beginners.has(options.kind)
      const span = tracer.span(isAskedFor ? options : { ...options, sampled: false })
      if (!span.sampled) return span
      const end = span.end.bind(span)
      return Object.assign(span, {
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, withoutWords(exit))
      })
    },
    ...(tracer.context === undefined ? {} : { context: tracer.context })
  })
