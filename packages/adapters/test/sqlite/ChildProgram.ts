/** Runs `ChildWriter.ts` as a separate program, and reads its output. */
import { fileURLToPath } from "node:url"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { ChildProcess } from "effect/process"

const path = fileURLToPath(new URL("./ChildWriter.ts", import.meta.url))

const flags = ["--conditions=@verbatim/source", "--disable-warning=ExperimentalWarning"]

/** Starts a task, kills the program after this many lines of output, and returns all output. */
export const killAfter = Effect.fnUntraced(function* (
  lineCount: number,
  { filename, task }: { readonly task: "commit" | "hesitate" | "share"; readonly filename: string }
) {
  const said: Array<string> = []
  const isEnough = yield* Deferred.make<void>()
  const { kill, stdout } = yield* ChildProcess.make(
    process.execPath,
    [...flags, path, task, filename],
    { stderr: "inherit" }
  )
  const reading = yield* Effect.forkChild(
    Stream.runForEach(linesOf(stdout), (line) =>
      said.push(line) < lineCount ? Effect.void : Deferred.succeed(isEnough, undefined)
    )
  )
  yield* Deferred.await(isEnough)
  yield* kill({ killSignal: "SIGKILL" })
  yield* Fiber.join(reading)
  return said
}, Effect.scoped)

const linesOf = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  bytes.pipe(Stream.decodeText, Stream.splitLines)
