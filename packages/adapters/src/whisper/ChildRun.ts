/**
 * One child for one task: a process in a group of its own, because a bad model ends the process
 * that reads it. Whatever happens to it is an outcome here; interruption ends its whole group.
 */
import { type ChildProcess, fork } from "node:child_process"
import { extname } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Schema } from "effect"
import { endGroup, printable } from "../processes/Command.ts"
import type { Answer, Task } from "./Protocol.ts"

/** Why a child gave no result. */
export class ChildError extends Schema.TaggedError<ChildError>()("ChildError", {
  /** `Failed`: it said so. `Ended`: it crashed or was killed. `Silent`: nothing for too long. */
  reason: Schema.Literals(["Failed", "Ended", "Silent", "Unstartable"]),
  /** For the log of the operator. */
  detail: Schema.String
}) {}

/** What a child has found. */
export type Found = Extract<Answer, { readonly _tag: "Done" }>

/** How children are run. */
export interface ChildOptions {
  /** The program, when it is not ours. */
  readonly script?: URL
  /** A child that says nothing for this long hangs. */
  readonly silenceMax?: Duration.Duration
  /** The same before its first message. Default 30 seconds, and never more than `silenceMax`. */
  readonly startMax?: Duration.Duration
}

/** A large model on a slow, loaded core takes two minutes for a piece of 25 s. */
const silenceMaxDefault = Duration.minutes(10)

/** Loading 1 GB from a slow disk is not part of the start, which takes a tenth of a second. */
const startMaxDefault = Duration.seconds(30)

/** The most of its last words that a log line holds. */
const complaintCharacterMax = 300

/** How much is kept of its output: trailing white space is not part of its last words. */
const keptCharacterMax = 2_000

const ours = new URL(`./Child${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

const isWindows = process.platform === "win32"

/** Only what programs need to start, and where Node keeps what it has compiled: no secrets. */
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

/** The end of a stream, without keeping more. */
const keepEnd = (stream: Readable | null): (() => string) => {
  let kept = ""
  stream?.setEncoding("utf8").on("data", (text: string) => {
    kept = (kept + text).slice(-keptCharacterMax)
  })
  return () => printable(kept.trimEnd().slice(-complaintCharacterMax))
}

const error = (reason: ChildError["reason"], detail: string): ChildError =>
  new ChildError({ reason, detail })

/** A child, until the scope closes. */
const child = (script: URL) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const started = start(script)
        // Without a listener an error would end this program; the end of the child reports it.
        started.on("error", () => undefined)
        return { process: started, complaint: keepEnd(started.stderr) }
      },
      catch: (cause) => error("Unstartable", String(Object(cause).code ?? cause))
    }),
    ({ process: started }) => endGroup(started)
  )

/** Listens to a child until what it says settles the matter, or it ends or falls silent. */
const listen = <A>(
  { complaint, process: started }: { readonly process: ChildProcess; complaint: () => string },
  talk: {
    readonly hear: (answer: Answer) => Effect.Effect<A, ChildError> | undefined
    readonly silenceMax: Duration.Duration
    readonly startMax: Duration.Duration
  }
): Effect.Effect<A, ChildError> =>
  Effect.callback((resume) => {
    let limit: NodeJS.Timeout | undefined
    const finish = (outcome: Effect.Effect<A, ChildError>) => {
      clearTimeout(limit)
      resume(outcome)
    }
    const wait = (duration: Duration.Duration) => {
      clearTimeout(limit)
      const silent = `it said nothing for ${Duration.format(duration)}`
      limit = setTimeout(
        () => finish(Effect.fail(error("Silent", silent))),
        Duration.toMillis(duration)
      )
    }
    wait(Duration.min(talk.startMax, talk.silenceMax))
    started.on("message", (answer: Answer) => {
      wait(talk.silenceMax)
      const outcome = talk.hear(answer)
      if (outcome !== undefined) finish(outcome)
    })
    started.once("exit", (code, signal) => {
      // Its last words are still on their way.
      setImmediate(() => {
        const how = signal ?? `exit code ${code}`
        finish(Effect.fail(error("Ended", `${how} ${complaint()}`.trim())))
      })
    })
    started.once("error", (cause) => finish(Effect.fail(error("Unstartable", cause.message))))
    return Effect.sync(() => clearTimeout(limit))
  })

/** Runs a task in a child of its own. Interruption kills the child and waits until it is gone. */
export const run = Effect.fnUntraced(function* (
  task: Task,
  options: ChildOptions & { readonly onProgress: (fraction: number) => Effect.Effect<void> }
) {
  const running = yield* child(options.script ?? ours)
  const tell = Effect.runForkWith(yield* Effect.context<never>())
  const hear = (answer: Answer): Effect.Effect<Found, ChildError> | undefined => {
    if (answer._tag === "Done") return Effect.succeed(answer)
    // It may be what native code made of a broken file: just as long, and just as binary.
    if (answer._tag === "Failed") return Effect.fail(error("Failed", printable(answer.detail)))
    if (answer._tag === "Started") running.process.send(task, () => undefined)
    else tell(options.onProgress(answer.fraction))
    return undefined
  }
  const { silenceMax = silenceMaxDefault, startMax = startMaxDefault } = options
  return yield* listen(running, { hear, silenceMax, startMax })
}, Effect.scoped)

/** Whether children can work on this machine: starts one, and gives it nothing to do. */
export const probe = Effect.gen(function* () {
  const [silenceMax, startMax] = [startMaxDefault, startMaxDefault]
  yield* listen(yield* child(ours), { hear: () => Effect.void, silenceMax, startMax })
}).pipe(Effect.scoped)
