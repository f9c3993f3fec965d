/** Tests the rules for child processes, with a shell instead of ffmpeg. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { runSubprocess } from "#src/ffmpeg/SystemFfmpeg"
import { newFolder } from "./Clips.ts"

const shell = (script: string, folder: string) =>
  runSubprocess({
    path: "/bin/sh",
    arguments: ["-c", script],
    folder,
    output: "ignore",
    fileByteMax: 10_240,
    cpuTime: Duration.seconds(10)
  })

describe.skipIf(process.platform === "win32")("a child process", () => {
  it.live("is reported with its exit code or signal, and both ends of its log", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const flood = "head -c 1000000 /dev/zero | tr '\\0' x >&2"
      const script = `echo the head >&2; ${flood}; echo the end >&2; exit 3`
      const { end, log } = yield* shell(script, folder)
      assert.deepStrictEqual(end, { _tag: "Exited", code: 3 })
      assert.strictEqual(log.length, (256 + 8) * 1_024)
      assert.isTrue(log.startsWith("the head\nx"))
      assert.isTrue(log.endsWith("xthe end\n"))
      const killed = yield* shell("kill -SEGV $$", folder)
      assert.deepStrictEqual(killed.end, { _tag: "Signalled", signal: "SIGSEGV" })
    })
  )

  it.live("starts in the given folder, with limits and an empty environment", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const script = "{ env | grep -v ^PWD=; pwd; ulimit -c; ulimit -t; ulimit -f; ulimit -v; } >&2"
      const { log } = yield* shell(script, folder)
      const lines = log
        .trim()
        .split("\n")
        .filter((line) => !/^(_|SHLVL|OLDPWD)=/.test(line))
      const limits = process.platform === "linux" ? ["0", "10", "20", "2097152"] : ["0", "10", "20"]
      assert.deepStrictEqual(lines.slice(0, 1 + limits.length), [folder, ...limits])
    })
  )
})
