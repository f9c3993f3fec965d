/**
 * Children that recognise speech: each a process in a group of its own, because a bad model ends
 * the process that reads it. A child that did its task is kept for the next with its model loaded;
 * one whose task failed or was interrupted ends with its whole group.
 */
import { type ChildProcess, fork } from "node:child_process"
import { extname } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Clock, Duration, Effect, Pool, Schema, type Scope } from "effect"
import { endGroup, hasEnded, printable } from "../processes/Command.ts"
import type { Answer, Task, TaskAnswer } from "./Protocol.ts"

/** Why a child gave no result. */
export class ChildError extends Schema.TaggedError<ChildError>()("ChildError", {
  /** `Failed`: it said so. `Ended`: it crashed or was killed. `Silent`: nothing for too long. */
  reason: Schema.Literals(["Failed", "Ended", "Silent", "Unstartable"]),
  /** For the log of the operator. */
  detail: Schema.String
}) {}

/** What a child has found. */
export type Found = Extract<TaskAnswer, { readonly _tag: "Done" }>

/** How children are run. */
export interface ChildOptions {
  /** The program, when it is not ours. */
  readonly script?: URL
  /** A child that says nothing for this long hangs. */
  readonly silenceMax?: Duration.Duration
  /** The same before its first message. Default 30 seconds, and never more than `silenceMax`. */
  readonly startMax?: Duration.Duration
  /** How long a child is kept without a task, up to twice this. Default 30 seconds. */
  readonly idleMax?: Duration.Duration
}

/** A large model on a slow, loaded core takes two minutes for a piece of 25 s. */
const silenceMaxDefault = Duration.minutes(10)

/** Loading 1 GB from a slow disk is not part of the start, which takes a tenth of a second. */
const startMaxDefault = Duration.seconds(30)

/** A loaded model has 0.3 to 2 GB: kept for those who send one recording after the other. */
const idleMaxDefault = Duration.seconds(30)

/** What a native library loses in memory ends with its process. */
const taskMax = 50
const ageMax = Duration.minutes(15)

/** The most that `VERBATIM_TRANSCRIBE_CONCURRENCY` allows: a task does not wait here. */
const childMax = 1_024

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

/** The end of what a stream says, without keeping more. */
const keepEnd = (stream: Readable | null) => {
  let kept = ""
  stream?.setEncoding("utf8").on("data", (text: string) => {
    kept = (kept + text).slice(-keptCharacterMax)
  })
  return {
    forget: () => {
      kept = ""
    },
    read: () => printable(kept.trimEnd().slice(-complaintCharacterMax))
  }
}

const error = (reason: ChildError["reason"], detail: string): ChildError =>
  new ChildError({ reason, detail })

/** A child, at work or kept for the next task. */
interface Child {
  readonly process: ChildProcess
  /** What it says on its standard error. */
  readonly complaint: ReturnType<typeof keepEnd>
  readonly bornMillis: number
  taskCount: number
}

/** Listens to a child until what it says settles the matter, or it ends or falls silent. */
const listen = <A>(
  { complaint, process: started }: Child,
  talk: {
    readonly hear: (answer: Answer) => Effect.Effect<A, ChildError> | undefined
    readonly silenceMax: Duration.Duration
  }
): Effect.Effect<A, ChildError> =>
  Effect.callback((resume) => {
    let limit: NodeJS.Timeout | undefined
    const wait = () => {
      clearTimeout(limit)
      const silent = `it said nothing for ${Duration.format(talk.silenceMax)}`
      limit = setTimeout(
        () => finish(Effect.fail(error("Silent", silent))),
        Duration.toMillis(talk.silenceMax)
      )
    }
    const hear = (answer: Answer) => {
      wait()
      const outcome = talk.hear(answer)
      if (outcome !== undefined) finish(outcome)
    }
    const end = () => {
      // Its last words are still on their way.
      setImmediate(() => {
        const how = started.signalCode ?? `exit code ${started.exitCode}`
        finish(Effect.fail(error("Ended", `${how} ${complaint.read()}`.trim())))
      })
    }
    const fail = (cause: Error) => finish(Effect.fail(error("Unstartable", cause.message)))
    const leave = () => {
      clearTimeout(limit)
      started.off("message", hear).off("exit", end).off("error", fail)
    }
    const finish = (outcome: Effect.Effect<A, ChildError>) => {
      leave()
      resume(outcome)
    }
    wait()
    started.on("message", hear).once("exit", end).once("error", fail)
    // One that was kept may have ended in the meantime.
    if (started.pid !== undefined && hasEnded(started)) end()
    return Effect.sync(leave)
  })

/** A child that has started, until the scope closes. */
const makeChild = Effect.fnUntraced(function* ({
  script = ours,
  silenceMax = silenceMaxDefault,
  startMax = startMaxDefault
}: ChildOptions): Effect.fn.Return<Child, ChildError, Scope.Scope> {
  const bornMillis = yield* Clock.currentTimeMillis
  const made = yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const started = start(script)
        // Without a listener an error would end this program; the end of the child reports it.
        started.on("error", () => undefined)
        return { process: started, complaint: keepEnd(started.stderr), bornMillis, taskCount: 0 }
      },
      catch: (cause) => error("Unstartable", String(Object(cause).code ?? cause))
    }),
    ({ process: started }) => endGroup(started)
  )
  const hear = ({ _tag }: Answer) => (_tag === "Started" ? Effect.succeed(made) : undefined)
  return yield* listen(made, { hear, silenceMax: Duration.min(startMax, silenceMax) })
})

/** What runs tasks. */
interface Children {
  /**
   * Runs a task in a child that no other task uses. Interruption kills the child at work and
   * waits until it is gone; one that is still starting is kept for the next task.
   */
  readonly run: (
    task: Omit<Task, "number">,
    onProgress: (fraction: number) => Effect.Effect<void>
  ) => Effect.Effect<Found, ChildError>
}

/** Children of one kind, until the scope closes. None is started before a task. */
export const makeChildren = Effect.fnUntraced(function* (options: ChildOptions) {
  const { idleMax = idleMaxDefault, silenceMax = silenceMaxDefault } = options
  const pool = yield* Pool.makeWithTTL({
    acquire: makeChild(options),
    min: 0,
    max: childMax,
    timeToLive: idleMax
  })

  const run: Children["run"] = Effect.fnUntraced(function* (task, onProgress) {
    // Invalidated after its release: while it is held, the pool would start another in its place.
    const ending: Array<Child> = []
    yield* Effect.addFinalizer(() => Effect.forEach(ending, (each) => Pool.invalidate(pool, each)))
    let child = yield* Pool.get(pool)
    // One that is kept may have ended, for want of memory for example.
    while (hasEnded(child.process)) {
      ending.push(child)
      child = yield* Pool.get(pool)
    }
    const tell = Effect.runForkWith(yield* Effect.context<never>())
    const number = ++child.taskCount
    const hear = (said: Answer): Effect.Effect<Found, ChildError> | undefined => {
      // It may still speak of the task before.
      if (said._tag !== "Answered" || said.number !== number) return undefined
      const { answer } = said
      if (answer._tag === "Done") return Effect.succeed(answer)
      // It may be what native code made of a broken file: just as long, and just as binary.
      if (answer._tag === "Failed") return Effect.fail(error("Failed", printable(answer.detail)))
      tell(onProgress(answer.fraction))
      return undefined
    }
    // Its last words may be about another recording.
    child.complaint.forget()
    child.process.send({ ...task, number }, () => undefined)
    ending.push(child)
    const found = yield* listen(child, { hear, silenceMax })
    const age = (yield* Clock.currentTimeMillis) - child.bornMillis
    if (child.taskCount < taskMax && age < Duration.toMillis(ageMax)) ending.pop()
    return found
  }, Effect.scoped)

  return { run } satisfies Children
})

/** Whether children can work on this machine: starts one, and gives it nothing to do. */
export const probe = Effect.scoped(makeChild({}))
