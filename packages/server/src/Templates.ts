/**
 * Reads the operator's templates from a JSON file that maps names to parameters. Templates are
 * validated at startup, so that the operator learns of a mistake before any caller does.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { type Parameters, problemsOf, Templates } from "@verbatim/core/transcription"
import { Effect, FileSystem, Layer, Option, Predicate, Result, Schema } from "effect"
import type { Configuration } from "./Configuration.ts"

/**
 * The error for a templates file that is missing, is broken, or sets a parameter that no request
 * can set.
 */
export class TemplatesError extends Schema.TaggedError<TemplatesError>()("TemplatesError", {
  sentence: Schema.String
}) {}

/** Maximum size of the file in bytes, enough for hundreds of templates with long prompts. */
const sizeMax = 1_048_576

/** Maximum number of problems to report at one start. */
const problemMax = 10

/** Maximum length of an unknown name in a message. */
const shownMax = 100

const makeError = (path: string, what: string): TemplatesError =>
  new TemplatesError({ sentence: `VERBATIM_TEMPLATES: ${path}: ${what}` })

const textOf = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const found = yield* fs.stat(path)
  if (found.type !== "File") return yield* makeError(path, "it is not a file.")
  if (Number(found.size) > sizeMax) return yield* makeError(path, "it is larger than 1 MiB.")
  const bytes = yield* fs.readFile(path)
  const decode = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  return yield* Effect.mapError(Effect.fromResult(Result.try(decode)), () =>
    makeError(path, "it is not UTF-8 text.")
  )
}, Effect.provide(NodeFileSystem.layer))

const isObject = (value: unknown): value is Parameters =>
  Predicate.isObject(value) && !Array.isArray(value)

const parseJson = (path: string, text: string) =>
  Result.try((): unknown => JSON.parse(text)).pipe(
    Result.mapError(() => makeError(path, "it is not JSON.")),
    Result.filterOrFail(isObject, () => makeError(path, "it is not an object of templates."))
  )

const showName = (name: string): string => JSON.stringify(name.slice(0, shownMax).toWellFormed())

const problemsIn = (
  templates: Parameters,
  { allowedNetworks }: Configuration
): ReadonlyArray<string> =>
  Object.entries(templates).flatMap(([name, template]) => {
    if (name === "") return ["a template has no name"]
    if (!isObject(template)) return [`template ${showName(name)}: not an object of parameters`]
    return problemsOf(template, allowedNetworks).map(
      ({ detail, parameter }) => `template ${showName(name)}: ${showName(parameter)}: ${detail}`
    )
  })

const load = Effect.fnUntraced(function* (path: string, configuration: Configuration) {
  const text = yield* Effect.catchTag(textOf(path), "PlatformError", () =>
    Effect.fail(makeError(path, "it cannot be read."))
  )
  const templates = yield* Effect.fromResult(parseJson(path, text))
  const problems = problemsIn(templates, configuration)
  if (problems.length > 0) {
    return yield* makeError(path, `${problems.slice(0, problemMax).join("; ")}.`)
  }
  return new Map(
    Object.entries(templates).flatMap(([name, template]) =>
      isObject(template) ? [[name, template] as const] : []
    )
  )
})

/** Provides the configured templates. There are none if no file is set. */
export const layer = (configuration: Configuration): Layer.Layer<never, TemplatesError> =>
  Option.match(configuration.templatesFile, {
    onNone: () => Layer.empty,
    onSome: (path) => Layer.effect(Templates, load(path, configuration))
  })
