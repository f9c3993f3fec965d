/**
 * Runs speech recognition in child processes, each in its own group, because a bad model crashes
 * the process that loads it. A child that finished a recording is kept, with the model loaded, for
 * the next recording. If the recording failed or was interrupted, the child is killed with its
 * whole group.
 */
import { type ChildProcess, fork } from "node:child_process"
import { extname } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Exit, Pool, Schema, type Scope } from "effect"
import { endGroup, hasEnded, printable } from "../processes/Command.ts"
import type { Answer, Given, Work } from "./Protocol.ts"

/** The error for a child that returned no result. */
export class ChildError extends Schema.TaggedError<ChildError>()("ChildError", {
  /**
   * `Failed`: the child reported a failure. `Ended`: the child crashed or was killed. `Silent`: the
   * child sent no message for too long.
   */
  reason: Schema.Literals(["Failed", "Ended", "Silent", "Unstartable"]),
  /** Details for the operator's log. */
  detail: Schema.String
}) {}

/** Options for child processes. */
export interface ChildOptions {
  /** The program that the child runs, by default `Child.ts`. */
  readonly script?: URL
  /** A child that sends no message for this time counts as hanging. */
  readonly maxSilence?: Duration.Duration
  /**
   * Time limit for a child's first message: 30 seconds by default, and never more than
   * `maxSilence`.
   */
  readonly maxStartTime?: Duration.Duration
  /** Minimum time to keep an idle child, by default 30 seconds. The maximum is twice as long. */
  readonly idleTime?: Duration.Duration
}

/**
 * Default time without a message before a child counts as hanging. A large model on a slow, busy
 * core takes two minutes for a piece of 25 s.
 */
const defaultMaxSilence = Duration.minutes(10)

/**
 * Default time limit for startup, which takes a tenth of a second because no model is loaded yet.
 */
const defaultMaxStartTime = Duration.seconds(30)

/**
 * Default time to keep an idle child with its model (0.3 to 2 GB), for clients that send one
 * recording after another.
 */
const defaultIdleTime = Duration.seconds(30)

/**
 * Maximum number of recordings per child, because memory leaked by native libraries is freed only
 * when the process ends.
 */
const recordingMax = 50

/**
 * Maximum number of children: the highest `VERBATIM_TRANSCRIBE_CONCURRENCY`, so that recordings do
 * not wait here.
 */
const childMax = 1_024

/** Maximum length of the child's error output in a log line. */
const errorCharacterMax = 300

/**
 * Number of characters kept from the error output. More are kept than shown, because trailing white
 * space is removed.
 */
const keptCharacterMax = 2_000

const ownScript = new URL(`./Child${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

const isWindows = process.platform === "win32"

/**
 * The child's environment: the variables that programs need to start, and the location of Node's
 * compile cache, but no secrets.
 */
const childEnvironment = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE, PATH, SystemRoot } = process.env
  return { NODE_COMPILE_CACHE, PATH, ...(isWindows ? { SystemRoot } : {}) }
}

const start = (script: URL): ChildProcess =>
  fork(fileURLToPath(script), [], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: !isWindows,
    execArgv: [],
    env: childEnvironment()
  })

/** Keeps only the end of a stream. */
const keepEnd = (stream: Readable | null) => {
  let kept = ""
  stream?.setEncoding("utf8").on("data", (text: string) => {
    kept = (kept + text).slice(-keptCharacterMax)
  })
  return {
    forget: () => {
      kept = ""
    },
    read: () => printable(kept.trimEnd().slice(-errorCharacterMax))
  }
}

const error = (reason: ChildError["reason"], detail: string): ChildError =>
  new ChildError({ reason, detail })

/** A child that is working, or that is kept for the next recording. */
interface Child {
  readonly process: ChildProcess
  /** The end of what the child wrote to its standard error. */
  readonly errorOutput: ReturnType<typeof keepEnd>
  recordingCount: number
  requestCount: number
}

/**
 * Reads a child's messages about one request until `hear` returns an outcome, the child ends, or
 * there is no such message for too long.
 */
const listen = <A>(
  { errorOutput, process: started }: Child,
  handlers: {
    readonly isAbout: (answer: Answer) => boolean
    readonly hear: (answer: Answer) => Effect.Effect<A, ChildError> | undefined
    readonly maxSilence: Duration.Duration
  }
): Effect.Effect<A, ChildError> =>
  Effect.callback((resume) => {
    let limit: NodeJS.Timeout | undefined
    const wait = () => {
      clearTimeout(limit)
      const silent = `it sent no message for ${Duration.format(handlers.maxSilence)}`
      limit = setTimeout(
        () => finish(Effect.fail(error("Silent", silent))),
        Duration.toMillis(handlers.maxSilence)
      )
    }
    const hear = (answer: Answer) => {
      if (!handlers.isAbout(answer)) return
      wait()
      const outcome = handlers.hear(answer)
      if (outcome !== undefined) finish(outcome)
    }
    const end = () => {
      // The child's last output may not have arrived yet.
      setImmediate(() => {
        const how = started.signalCode ?? `exit code ${started.exitCode}`
        finish(Effect.fail(error("Ended", `${how} ${errorOutput.read()}`.trim())))
      })
    }
    const fail = (cause: Error) => finish(Effect.fail(error("Unstartable", cause.message)))
    const stopListening = () => {
      clearTimeout(limit)
      started.off("message", hear).off("exit", end).off("error", fail)
    }
    const finish = (outcome: Effect.Effect<A, ChildError>) => {
      stopListening()
      resume(outcome)
    }
    wait()
    started.on("message", hear).once("exit", end).once("error", fail)
    // A kept child may have ended in the meantime.
    if (started.pid !== undefined && hasEnded(started)) end()
    return Effect.sync(stopListening)
  })

/** Starts a child that lives until the scope closes. */
const makeChild = Effect.fnUntraced(function* ({
  script = ownScript,
  maxSilence = defaultMaxSilence,
  maxStartTime = defaultMaxStartTime
}: ChildOptions): Effect.fn.Return<Child, ChildError, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const started = start(script)
        // Without this listener, an error would crash this program. The child's end is reported
        // anyway.
        started.on("error", () => undefined)
        return {
          process: started,
          errorOutput: keepEnd(started.stderr),
          recordingCount: 0,
          requestCount: 0
        }
      },
      catch: (cause) => error("Unstartable", String(Object(cause).code ?? cause))
    }),
    ({ process: started }) => endGroup(started)
  )
  return yield* listen(child, {
    isAbout: ({ _tag }) => _tag === "Started",
    hear: () => Effect.succeed(child),
    maxSilence: Duration.min(maxStartTime, maxSilence)
  })
})

/** Whether a child that finished a recording can be kept for the next recording. */
const isReusable = ({ process: started, recordingCount }: Child) =>
  !hasEnded(started) && recordingCount < recordingMax

/** A child that is reserved for one recording. */
export interface HeldChild {
  /** Sends a request to the child, and waits for the result. */
  readonly request: <Kind extends keyof Work>(
    kind: Kind,
    given: Given<Kind>
  ) => Effect.Effect<Work[Kind]["result"], ChildError>
}

/**
 * Creates a pool of children that lives until the scope closes. The first child starts when needed.
 */
export const makeChildren = Effect.fnUntraced(function* (options: ChildOptions) {
  const { idleTime = defaultIdleTime, maxSilence = defaultMaxSilence } = options
  const pool = yield* Pool.makeWithTTL({
    acquire: makeChild(options),
    min: 0,
    max: childMax,
    timeToLive: idleTime
  })

  /**
   * Acquires a child for a recording and holds it until the scope closes. If the scope closes with
   * a failure or an interruption, the child is killed, and the scope waits for it to exit. A child
   * that is still starting is kept for the next recording.
   */
  const hold: Effect.Effect<HeldChild, ChildError, Scope.Scope> = Effect.gen(function* () {
    const taken: Array<Child> = []
    // Children are invalidated only after their release, because invalidating a held child would
    // make the pool start another child.
    yield* Effect.addFinalizer((exit) =>
      Effect.forEach(
        taken.filter((each) => Exit.isFailure(exit) || !isReusable(each)),
        (each) => Pool.invalidate(pool, each)
      )
    )
    let child = yield* Pool.get(pool)
    // A kept child may have ended, for example because of a lack of memory.
    while (hasEnded(child.process)) {
      taken.push(child)
      child = yield* Pool.get(pool)
    }
    taken.push(child)
    child.recordingCount += 1
    // The child's earlier output may be about another recording.
    child.errorOutput.forget()
    return { request: makeRequest(child, maxSilence) }
  })

  return { hold }
})

const makeRequest =
  (child: Child, maxSilence: Duration.Duration): HeldChild["request"] =>
  <Kind extends keyof Work>(kind: Kind, given: Given<Kind>) =>
    Effect.suspend(() => {
      const number = ++child.requestCount
      const isAbout = (message: Answer) => message._tag === "Answered" && message.number === number
      const hear = (
        message: Answer
      ): Effect.Effect<Work[Kind]["result"], ChildError> | undefined => {
        if (message._tag !== "Answered") return undefined
        const { answer } = message
        if (answer._tag === "Done") return Effect.succeed(answer.result as Work[Kind]["result"])
        if (answer._tag === "Working") return undefined
        // The detail may be native code's message about a corrupt file, which can be long and
        // binary.
        return Effect.fail(error("Failed", printable(answer.detail)))
      }
      child.process.send({ ...given, _tag: kind, number }, () => undefined)
      return listen(child, { isAbout, hear, maxSilence })
    })

/** Tests whether children work on this machine: starts one without sending it a request. */
export const probe = Effect.scoped(makeChild({}))
