/** `verbatim api`: calls any operation of the API by name. */
import { openAsBlob } from "node:fs"
import { basename } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { settle, type VerbatimClient } from "@verbatim/client"
import { ExactNumber, findNearestName } from "@verbatim/core/schema"
import { ByteSize, Console, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readTextOf } from "../presets/PresetFolder.ts"
import { call, callEach } from "./ApiCalls.ts"
import { apiFlags, asOperator, withApi } from "./ApiFlags.ts"
import { makeSwitch, textArgument, textFlag } from "./flags.ts"
import { printable, quoted } from "./operation.ts"
import { misuse, Refusal } from "./Refusal.ts"
import { showWait } from "./terminal/ProgressBar.ts"

/** An operation in the API description. */
interface Described {
  readonly operationId?: string
  readonly summary: string
  readonly security?: ReadonlyArray<object>
}

/** Loads the API description on first use, because building it takes a tenth of a second. */
const readOperations = Effect.promise(async () => {
  const { document } = await import("@verbatim/http/description")
  const paths = document().paths as Readonly<Record<string, Readonly<Record<string, Described>>>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: operation, security, summary }]) => {
      if (operation === undefined) return []
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
      const isOperators = security?.length === 1 && security.every((each) => "operator" in each)
      return [{ operation, method, path, parameters, summary, isOperators }]
    })
  )
})

type Operation = Effect.Success<typeof readOperations>[number]

const usageOf = ({ operation, parameters }: Operation): string =>
  [operation, ...parameters.map((name) => `<${name}>`)].join(" ")

const findOperation = Effect.fnUntraced(function* (name: string) {
  const operations = yield* readOperations
  const found = operations.find(({ operation }) => operation === name)
  if (found !== undefined) return found
  const meant = findNearestName(
    name,
    operations.map(({ operation }) => operation)
  )
  const hint = meant === undefined ? "`verbatim api` lists them all." : `Did you mean ${meant}?`
  return yield* misuse(`There is no operation ${quoted(name)}. ${hint}`)
})

const listOperations = Effect.fnUntraced(function* (json: boolean) {
  for (const each of yield* readOperations) {
    const { isOperators: _, ...view } = each
    const line = `${usageOf(each).padEnd(56)} ${each.summary}`
    yield* Console.log(json ? JSON.stringify(view) : line)
  }
})

/** Parses pairs such as `limit=5`. The API takes no parameter or header more than once. */
const toRecord = (given: ReadonlyArray<string>): Option.Option<Record<string, string>> => {
  const found = given.map((each) => /^([^=]+)=(.+)$/s.exec(each))
  const record = Object.fromEntries(found.map((match) => [match?.[1], match?.[2]]))
  const isValid = !found.includes(null) && Object.keys(record).length === given.length
  return isValid ? Option.some(record) : Option.none()
}

const pairs = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("key=value"),
    Flag.withDescription(description),
    Flag.atLeast(0),
    Flag.filterMap(toRecord, () => "key=value, with each key only once")
  )

const flags = {
  operation: textArgument("operation", "Operation, such as presets.get (default: list all)").pipe(
    Argument.optional
  ),
  given: textArgument("argument", "Path parameters, in order").pipe(Argument.variadic()),
  query: pairs("query", "Query parameter, such as limit=5 (repeatable)"),
  header: pairs("header", "Header, such as if-match=… (repeatable)"),
  body: textFlag("body", "JSON body; @file reads a file, - standard input"),
  file: textFlag("file", "Recording, for operations that accept one"),
  json: makeSwitch("json", "Print JSON on one line"),
  ...apiFlags
}

type FlagValues = Command.Command.Config.Infer<typeof flags>

const readBody = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return undefined
  const isFile = given === "-" || given.startsWith("@")
  const text = isFile ? yield* readTextOf(given.replace(/^@/, "")) : given
  const parsed = ExactNumber.parse(text)
  if (Option.isSome(parsed)) return parsed.value
  return yield* misuse("--body must be JSON.")
})

/** Client calls that upload a file, keyed by operation. */
const uploads: Readonly<
  Record<string, (client: VerbatimClient, form: { readonly file: File }) => Promise<unknown>>
> = {
  "transcriptions.create": ({ transcriptions }, form) => transcriptions.create(form),
  "speech.transcribe": ({ speech }, form) => speech.transcribe({ model: "whisper-1", ...form })
}

const printJson = (answer: unknown, json: boolean) =>
  Console.log(json ? JSON.stringify(answer) : JSON.stringify(answer, undefined, 2))

const upload = Effect.fnUntraced(function* (
  { operation }: Operation,
  path: string,
  options: FlagValues
) {
  const send = uploads[operation]
  if (send === undefined) return yield* misuse(`${operation} does not accept a file.`)
  const fields = Object(yield* readBody(options.body))
  const file = yield* Effect.tryPromise({
    try: async () => new File([await openAsBlob(path)], basename(path)),
    catch: () => new Refusal({ sentence: `There is no file ${quoted(path)}.` })
  })
  const sending = call((client) => send(client, { ...fields, file }))
  const size = ByteSize.format(ByteSize.bytes(file.size), { system: "decimal" })
  const answer = yield* showWait(`sending ${printable(file.name)}, ${size}`)(sending)
  yield* typeof answer === "string" ? Console.log(answer) : printJson(answer, options.json)
})

/**
 * Client calls that return event streams, keyed by operation. The client reconnects when a
 * connection breaks.
 */
const listeners: Readonly<
  Record<string, (client: VerbatimClient, options: FlagValues) => AsyncIterable<unknown>>
> = {
  "transcriptions.events": ({ transcriptions }, { given: [id = ""], query }) =>
    transcriptions.events(id, { after: query.last_event_id }),
  "transcriptions.allEvents": ({ transcriptions }, { query }) =>
    transcriptions.allEvents({ after: query.last_event_id })
}

type Send = (method: string, path: string, init: object) => Promise<{ response: Response }>

const isOk = async (answering: ReturnType<Send>): Promise<Response> =>
  (await settle(answering)).response

const request = Effect.fnUntraced(function* (operation: Operation, options: FlagValues) {
  const { method, parameters, path } = operation
  const { given, header: headers, query } = options
  const body = yield* readBody(options.body)
  return yield* call((client) => {
    const send = client.request as unknown as Send
    const names = Object.fromEntries(parameters.map((name, place) => [name, given[place]]))
    const init = { params: { path: names, query }, headers, parseAs: "stream" }
    return isOk(send(method, path, body === undefined ? init : { ...init, body }))
  })
})

/** Prints JSON and text as lines, and all other bodies byte by byte. */
const print = Effect.fnUntraced(function* (response: Response, json: boolean) {
  const type = response.headers.get("content-type") ?? ""
  if (response.body === null) return
  if (type.startsWith("application/json")) {
    return yield* printJson(yield* call(() => response.json()), json)
  }
  if (/^(?:text\/|application\/x-subrip)/.test(type)) {
    const text = yield* call(() => response.text())
    return yield* Console.log(text.replace(/\n$/, ""))
  }
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  yield* call(() => pipeline(body, process.stdout, { end: false }))
})

const runOperation = Effect.fnUntraced(function* (operation: Operation, options: FlagValues) {
  if (options.file !== undefined) return yield* upload(operation, options.file, options)
  const listen = listeners[operation.operation]
  if (listen === undefined) return yield* print(yield* request(operation, options), options.json)
  const events = callEach((client) => listen(client, options)).pipe(
    Stream.takeWhile(() => process.stdout.writable)
  )
  yield* Stream.runForEach(events, (event) => Console.log(JSON.stringify(event)))
})

export const api = Command.make(
  "api",
  flags,
  Effect.fn(function* (options) {
    if (Option.isNone(options.operation)) return yield* listOperations(options.json)
    const operation = yield* findOperation(options.operation.value)
    const { isOperators, parameters } = operation
    if (parameters.length !== options.given.length) {
      return yield* misuse(`Wrong number of arguments. Usage: verbatim api ${usageOf(operation)}`)
    }
    const calling = runOperation(operation, options)
    yield* isOperators ? asOperator(options, calling) : withApi(options, calling)
  })
).pipe(Command.withDescription("Call an API operation by name, such as presets.get"))
