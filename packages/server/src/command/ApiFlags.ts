/**
 * Builds commands that call the API, either on a server with a key, or in this process with the
 * local store.
 */
import { Config, Console, Context, Effect, Layer, Option, Stream } from "effect"
import { Command } from "effect/cli"
import { Api, atServer, pageMax } from "./ApiCalls.ts"
import { explainErrors } from "./explanation.ts"
import { filterFlag } from "./flags.ts"
import type { LocalOptions, OperatorServices } from "./LocalApi.ts"
import { jsonFlag, printJson, quiet, readExisting, readStored, workspaceFlag } from "./operation.ts"
import { misuse } from "./Refusal.ts"
import { fitRow, formatTable, type Row } from "./terminal/helpLayout.ts"

/** Flags for every command that calls the API for a workspace. */
export const apiFlags = {
  url: filterFlag(
    "url",
    "Server URL without /v1, used with the key in VERBATIM_KEY (default: VERBATIM_URL, " +
      "otherwise the local database)"
  ),
  workspace: workspaceFlag
}

/** The parsed values of `apiFlags`. */
export interface ApiOptions {
  readonly url: string | undefined
  readonly workspace: string | undefined
}

const readKey = Config.Redacted("VERBATIM_KEY").pipe(Config.option)

const readUrl = Effect.fnUntraced(function* ({ url }: Pick<ApiOptions, "url">) {
  return url ?? (yield* Config.String("VERBATIM_URL").pipe(Config.withDefault("")))
})

/** Loads the API only when it is used, because loading takes a fifth of a second. */
const makeLocalApi = Effect.fnUntraced(function* (options: LocalOptions) {
  const settings = yield* readExisting
  const { layer } = yield* Effect.promise(() => import("./LocalApi.ts"))
  return Context.get(yield* Layer.build(layer(settings, options)), Api)
})

/** Connects to a server with the key in the environment. */
const makeServerApi = Effect.fnUntraced(function* (url: string, needed: string) {
  const key = yield* readKey
  if (Option.isSome(key)) return yield* atServer(url, key.value)
  return yield* misuse(`Set VERBATIM_KEY to ${needed}.`)
})

const makeApi = Effect.fnUntraced(function* (options: ApiOptions) {
  const { workspace } = options
  const [url, key] = yield* Effect.all([readUrl(options), readKey])
  if (url === "") {
    if (Option.isSome(key) && workspace !== undefined) {
      return yield* misuse(
        "A key already belongs to a workspace. Leave out --workspace or VERBATIM_KEY."
      )
    }
    return yield* makeLocalApi({ key, workspace })
  }
  if (workspace !== undefined) {
    return yield* misuse("The key determines the workspace. Leave out --workspace.")
  }
  return yield* makeServerApi(url, "a key of the workspace")
})

/** Runs a command with the API that its flags choose. */
export const withApi = <A, E, R>(options: ApiOptions, command: Effect.Effect<A, E, R>) =>
  Effect.provideServiceEffect(command, Api, makeApi(options)).pipe(
    Effect.scoped,
    quiet,
    explainErrors
  )

export const operatorFlags = {
  url: filterFlag(
    "url",
    "Server URL without /v1, used with the operator key in VERBATIM_KEY (default: " +
      "VERBATIM_URL, otherwise the local database)"
  )
}

/**
 * Says whether an operator command calls the API on a server, or in this process with the local
 * store.
 */
interface OperatorOptions {
  readonly url: string | undefined
  /** Whether to create the store if it is missing. */
  readonly createsStore?: boolean
}

const onLocalStore = <A>(
  command: Effect.Effect<A, unknown, OperatorServices>,
  createsStore: boolean
): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    const settings = yield* createsStore ? readStored : readExisting
    const { operatorLayer } = yield* Effect.promise(() => import("./LocalApi.ts"))
    return yield* Effect.provide(command, operatorLayer(settings))
  }).pipe(quiet, explainErrors)

/** Runs a command that calls the API as an operator. */
export const asOperator = <A, E>(
  { createsStore = false, url }: OperatorOptions,
  command: Effect.Effect<A, E, Api>
): Effect.Effect<A, unknown> =>
  Effect.flatMap(readUrl({ url }), (at) =>
    at === ""
      ? onLocalStore(command, createsStore)
      : Effect.provideServiceEffect(
          command,
          Api,
          makeServerApi(at, "an operator key of the server")
        ).pipe(Effect.scoped, explainErrors)
  )

type Infer<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** Options for a command that calls the API and prints each response. */
interface CommandOptions<Flags extends Command.Command.Config, A, R> {
  readonly description: string
  readonly flags: Flags
  readonly run: (given: Infer<Flags>) => Effect.Effect<A, unknown, R> | Stream.Stream<A, unknown, R>
  /**
   * Picks the part of a response that `--json` prints, by default all of it. If the part is
   * undefined, nothing is printed.
   */
  readonly answer?: (answer: A) => unknown
  /** Formats a response as readable text, or a list as tables of up to a hundred rows. */
  readonly text:
    | ((answer: A, given: Infer<Flags>) => string | Effect.Effect<string, unknown, R>)
    | TableOptions<A>
  /** The message to print if a list is empty. */
  readonly empty?: string
}

interface TableOptions<A> {
  readonly row: (answer: A) => Row
  /** Returns lines to print below the row. */
  readonly details?: (answer: A) => ReadonlyArray<string>
}

const printTable = <A>(
  answers: ReadonlyArray<A>,
  { details = () => [], row }: TableOptions<A>
): Effect.Effect<void> => {
  const [headings = "", ...rows] = formatTable(answers.map(row))
  const lines = answers.flatMap((answer, index) => [rows[index] ?? "", ...details(answer)])
  return Console.log([headings, ...lines].join("\n"))
}

const makeCommandFactory =
  <Shared extends Command.Command.Config, R>(
    shared: Shared,
    provide: (
      command: Effect.Effect<void, unknown, R>,
      flags: Infer<Shared>
    ) => Effect.Effect<void, unknown>
  ) =>
  <const Flags extends Command.Command.Config, A>(
    name: string,
    {
      answer: toAnswer = (answer) => answer,
      description,
      empty = "There is nothing to list.",
      flags,
      run,
      text
    }: CommandOptions<Flags, A, R>
  ) => {
    const config = { ...flags, json: jsonFlag, ...shared }
    return Command.make(name, config as Command.Command.Config, (read) => {
      const given = read as Infer<Flags> & Infer<Shared> & { readonly json: boolean }
      const answers = run(given)
      const show = (page: ReadonlyArray<A>): Effect.Effect<void, unknown, R> => {
        if (given.json) {
          const printed = page.map(toAnswer).filter((each) => each !== undefined)
          return Effect.forEach(printed, printJson, { discard: true })
        }
        if (typeof text === "object") return printTable(page, text)
        const showText = Effect.fnUntraced(function* (answer: A) {
          const made = text(answer, given)
          const shown = Effect.isEffect(made) ? yield* made : made
          yield* Console.log(Effect.isEffect(answers) ? shown : fitRow(shown))
        })
        return Effect.forEach(page, showText, { discard: true })
      }
      const pageSize = given.json || typeof text === "function" ? 1 : pageMax
      const printing = Effect.isEffect(answers)
        ? Effect.flatMap(answers, (answer) => show([answer]))
        : Stream.grouped(answers, pageSize).pipe(
            Stream.tap(show),
            Stream.runCount,
            Effect.flatMap((count) =>
              count > 0 || given.json ? Effect.void : Console.error(empty)
            )
          )
      return provide(printing, given)
    }).pipe(Command.withDescription(description))
  }

/** Builds a command that calls the API for a workspace. */
export const makeApiCommand = makeCommandFactory(
  apiFlags,
  (command: Effect.Effect<void, unknown, Api>, options) => withApi(options, command)
)

/** Builds a command that calls the API as an operator. */
export const makeOperatorCommand = makeCommandFactory(
  operatorFlags,
  (command: Effect.Effect<void, unknown, Api>, { url }) => asOperator({ url }, command)
)

/** Builds an operator command that creates a missing store. */
export const makeCreatingCommand = makeCommandFactory(
  operatorFlags,
  (command: Effect.Effect<void, unknown, Api>, { url }) =>
    asOperator({ url, createsStore: true }, command)
)

/** Builds a command that does not call the API, and explains its errors. */
export const makeLocalCommand = makeCommandFactory({}, (command: Effect.Effect<void, unknown>) =>
  explainErrors(quiet(command))
)

/** Builds a command that runs on the local store, for operations that the API does not have. */
export const makeStoreCommand = makeCommandFactory(
  {},
  (command: Effect.Effect<void, unknown, OperatorServices>) => onLocalStore(command, false)
)
