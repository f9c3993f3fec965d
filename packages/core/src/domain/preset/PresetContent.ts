/**
 * Converts the content of a version (everything except its number, timestamps and author) to a
 * request that creates a version with the same content.
 */
import { Result, type Schema, Struct } from "effect"
import type { FormatName } from "../request/RequestFormat.ts"
import {
  decode,
  formats,
  joinTexts,
  type RequestFormat,
  responses,
  textsOf
} from "../request/RequestFormat.ts"
import { InvalidRequest, type Problem, problemsMax } from "../schema/Problem.ts"
import { toShown } from "../schema/StorableText.ts"
import type { VersionParts } from "./PresetCommand.ts"
import { configDifferences, isSame } from "./PresetDiff.ts"
import type { PresetConfig } from "./PresetVersion.ts"

/** The parts of a version that come from its request. */
export interface PresetContent {
  readonly format: FormatName
  readonly systemPrompt: string | null
  readonly config: PresetConfig
  /** The names of the `config` fields that take precedence over a request's own fields. */
  readonly wins: ReadonlyArray<string>
}

/** Returns the format with the given name. */
export const toRequestFormat = (name: FormatName): RequestFormat =>
  formats.find((format) => format.name === name) ?? responses

/** Returns the request fields that contain a system prompt, as text or as blocks of text. */
const systemFields = (format: FormatName, prompt: Schema.Json) => {
  const isThere = prompt !== null
  switch (format) {
    case "responses":
      return isThere ? { instructions: prompt } : {}
    case "chatCompletions":
      return { messages: isThere ? [{ role: "system", content: prompt }] : [] }
    case "messages":
      return { ...(isThere ? { system: prompt } : {}), messages: [] }
  }
}

/** Returns the request body that creates a version with the given content. */
export const toRequestBody = ({
  config,
  format,
  systemPrompt
}: Omit<PresetContent, "wins">): PresetConfig => {
  const { system: blocks, ...kept } = config
  const prompt = format === "responses" ? systemPrompt : (blocks ?? systemPrompt)
  return { ...kept, ...systemFields(format, prompt) }
}

/** Whether the blocks of a prompt, if it has any, contain the same text as the prompt. */
const areBlocksOf = ({ config, format, systemPrompt }: PresetContent): boolean => {
  if (config.system === undefined) return true
  return format !== "responses" && joinTexts(textsOf(config.system)) === systemPrompt
}

const otherBlocks: Problem = {
  path: "config.system",
  rule: "must be the blocks of system_prompt"
}

const inPrompt = "belongs in system_prompt"

/**
 * Whether two versions have the same content in the same order. The order matters because models
 * read the properties of a schema in order.
 */
export const isSameContent = (one: PresetContent, other: PresetContent): boolean =>
  one.format === other.format &&
  one.systemPrompt === other.systemPrompt &&
  configDifferences(one.config, other.config).length === 0 &&
  isSame(one.wins, other.wins)

const asPrompt = "is the prompt: set system_prompt to change it, or to null to remove it"

/** Field names that callers might use for the prompt. */
const promptNames = new Set(["instructions", "messages", "prompt", "system", "system_prompt"])

/**
 * Reports the names that are not config fields. The blocks of a system prompt belong to the prompt,
 * not to the config.
 */
const missingFields = (
  path: string,
  { config, names }: { readonly config: PresetConfig; readonly names: ReadonlyArray<string> }
): ReadonlyArray<Problem> =>
  names
    .filter((name) => name === "system" || !Object.hasOwn(config, name))
    .map((name) => {
      const isPrompt = path === "unset" && promptNames.has(name)
      const missing = `the version has no field ${toShown(name)}`
      return { path, rule: isPrompt ? `${name} ${asPrompt}` : missing }
    })

/**
 * Returns the fields that take precedence over requests, sorted and without duplicates. Refuses the
 * first one that is not in the config.
 */
export const validateWins = (
  config: PresetConfig,
  names: ReadonlyArray<string> = []
): Result.Result<ReadonlyArray<string>, InvalidRequest> => {
  const wins = [...new Set(names)].toSorted()
  const [problem] = missingFields("wins", { config, names: wins })
  if (problem === undefined) return Result.succeed(wins)
  return Result.fail(new InvalidRequest({ problems: [problem] }))
}

const problemOf = (format: RequestFormat, name: string): Problem => {
  const field = Object.hasOwn(format.fields, name) ? format.fields[name] : undefined
  if (field?.fate === "systemPrompt") {
    return { path: `config.${name}`, rule: inPrompt }
  }
  const why = field === undefined ? "it is not known" : `it ${field.reason}`
  return { path: `config.${name}`, rule: `a preset does not keep it: ${why}` }
}

const emptyPrompt: Problem = {
  path: "system_prompt",
  rule: "must not be empty in this format: write null"
}

/** Reports the parts of the content that would not survive a request unchanged. */
const losses = (format: RequestFormat, content: PresetContent): ReadonlyArray<Problem> => {
  const { config, systemPrompt } = content
  const lost = Object.keys(config).filter(
    (name) =>
      name !== "system" &&
      (config[name] === null ||
        !Object.hasOwn(format.fields, name) ||
        format.fields[name]?.fate !== "kept")
  )
  const nulls = (name: string): Problem => ({
    path: `config.${name}`,
    rule: "must not be null: leave it out"
  })
  return [
    ...lost.map((name) => (config[name] === null ? nulls(name) : problemOf(format, name))),
    ...(areBlocksOf(content) ? [] : [otherBlocks]),
    ...(systemPrompt === "" && format.name !== "responses" ? [emptyPrompt] : [])
  ]
}

/** Converts the path of a field in a request to its path in a version's content. */
const placeOf = (format: RequestFormat, { path, rule }: Problem): Problem => {
  const [, field = ""] = /^(\w*)/.exec(path) ?? []
  const isSystem = Object.hasOwn(format.fields, field) && format.fields[field]?.fate !== "kept"
  if (isSystem) return { path: "system_prompt", rule }
  return { path: path === "" ? "config" : `config.${path}`, rule }
}

/** Reports the config fields that contain secrets. */
const secretsIn = ({ config }: PresetContent, notKept: ReadonlyArray<string>) =>
  notKept
    .filter((path) => !Object.hasOwn(config, path))
    .map(
      (path): Problem => ({
        path: `config.${path}`,
        rule: "a preset keeps no secret: it belongs in requests"
      })
    )

/**
 * Puts the prompt's blocks after all other fields, so that problems are in the same order as for a
 * new version.
 */
const inOrder = ({ system, ...config }: PresetConfig): PresetConfig =>
  system === undefined ? config : { ...config, system }

/**
 * Returns the content, or all its problems if the request that creates it is invalid or would lose
 * part of it.
 */
export const validateContent = (
  content: PresetContent
): Result.Result<PresetContent, InvalidRequest> => {
  const format = toRequestFormat(content.format)
  const lost = losses(format, content)
  const broken = Result.match(decode(format, { body: toRequestBody(content) }), {
    onFailure: ({ problems }) => problems.map((problem) => placeOf(format, problem)),
    onSuccess: ({ notKept }) => secretsIn(content, notKept)
  })
  const wins = validateWins(content.config, content.wins)
  const absent = Result.isFailure(wins) ? wins.failure.problems : []
  const [first, ...others] = [...lost, ...broken, ...absent].slice(0, problemsMax)
  return first === undefined
    ? Result.map(wins, (named) => ({ ...content, config: inOrder(content.config), wins: named }))
    : Result.fail(new InvalidRequest({ problems: [first, ...others] }))
}

/** A version with changed parts, in the form of a request that creates it. */
export interface ChangedVersion {
  readonly format: RequestFormat
  readonly body: PresetConfig
  readonly wins: ReadonlyArray<string>
}

/** Finds problems in the changed parts. The resulting version is validated when it is created. */
const partProblems = (
  config: PresetConfig,
  { format, parts }: { readonly format: RequestFormat; readonly parts: VersionParts }
): ReadonlyArray<Problem> => {
  const { set = {}, systemPrompt, unset = [] } = parts
  const both = unset.find((name) => Object.hasOwn(set, name))
  const prompts = Object.keys(set).filter(
    (name) =>
      name === "system" ||
      (Object.hasOwn(format.fields, name) && format.fields[name]?.fate === "systemPrompt")
  )
  return [
    ...prompts.map((name) => ({ path: `set.${name}`, rule: inPrompt })),
    ...missingFields("unset", { config, names: unset }),
    ...(both === undefined ? [] : [{ path: `set.${both}`, rule: "is also in unset" }]),
    ...(systemPrompt === "" && format.name !== "responses" ? [emptyPrompt] : [])
  ]
}

/** Returns the request that creates a version with some parts changed. */
export const changeParts = (
  version: PresetContent,
  parts: VersionParts
): Result.Result<ChangedVersion, InvalidRequest> => {
  const { set = {}, systemPrompt = version.systemPrompt, unset = [], wins } = parts
  const name = version.format
  const format = toRequestFormat(name)
  const [first, ...others] = partProblems(version.config, { format, parts }).slice(0, problemsMax)
  if (first !== undefined) return Result.fail(new InvalidRequest({ problems: [first, ...others] }))
  // A new prompt also replaces the blocks of the old one.
  const gone = parts.systemPrompt === undefined ? unset : [...unset, "system"]
  const config: PresetConfig = { ...Struct.omit(version.config, gone), ...set }
  return Result.succeed({
    format,
    body: toRequestBody({ format: name, systemPrompt, config }),
    // A removed field no longer takes precedence over requests.
    wins:
      wins ?? version.wins.filter((each) => Object.hasOwn(config, each) && config[each] !== null)
  })
}
