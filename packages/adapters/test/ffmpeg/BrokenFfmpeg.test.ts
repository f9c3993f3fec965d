/** Tests that a misbehaving program named ffmpeg affects only the decoding that started it. */
import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/ffmpeg"
import { sentence } from "@verbatim/core/attempt"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Duration, Effect } from "effect"
import { clip, namesIn, newFolder, reasonOf } from "./Clips.ts"
import { eventually, isAlive } from "./Processes.ts"

/**
 * Decodes with a script instead of ffmpeg. Returns the outcome and the process ids that the script
 * recorded.
 */
const decodedBy = Effect.fnUntraced(function* (
  script: string,
  timeout: Duration.Input = "20 seconds"
) {
  const folder = yield* newFolder
  const directory = yield* newFolder
  const ffmpegPath = join(folder, "ffmpeg")
  const started = join(folder, "started")
  yield* Effect.promise(async () => {
    await writeFile(ffmpegPath, `#!/bin/sh\nnote() { echo $1 >> ${started}; }\n${script}\n`)
    await chmod(ffmpegPath, 0o755)
  })
  const options = { ffmpegPath, directory, timeout, maxHours: 1 }
  const reason = yield* Effect.provide(reasonOf(clip("clip.mp3")), layer(options))
  const noted = yield* Effect.promise(() => readFile(started, "utf8").catch(() => ""))
  assert.deepStrictEqual(yield* namesIn(directory), [])
  return { reason, ids: noted.split("\n").filter(Boolean).map(Number) }
})

const allEnd = (ids: ReadonlyArray<number>) =>
  eventually(Effect.sync(() => ids.every((id) => !isAlive(id))))

/** A script that logs 10 MB of errors, with every byte except the line feed. */
const hostileLog = `
  i=0; while [ $i -lt 40 ]; do
    printf '\\000\\001\\033]0;title\\007\\033[2J\\r\\376\\377\\302\\233 /etc/passwd ' >&2
    head -c 262144 /dev/urandom >&2
    i=$((i + 1))
  done`

describe.skipIf(process.platform === "win32")("a broken ffmpeg", () => {
  it.live("is killed if it hangs, together with every process that it started", () =>
    Effect.gen(function* () {
      const script = `
        trap '' TERM HUP INT
        note $$
        (sleep 600 & note $!; wait) &
        note $!
        wait`
      // On a busy machine, three programs may need more than a second to start.
      let count = 0
      for (let seconds = 1; count < 3; seconds *= 2) {
        const { ids, reason } = yield* decodedBy(script, Duration.seconds(seconds))
        assert.deepStrictEqual(reason, { _tag: "AudioTooLong", maxHours: 1 })
        yield* allEnd(ids)
        count = ids.length
      }
    })
  )

  it.live("leaves no child process running when it ends", () =>
    Effect.gen(function* () {
      const { ids, reason } = yield* decodedBy("sleep 600 & note $!; exit 1")
      assert.strictEqual(reason._tag, "MediaUndecodable")
      assert.strictEqual(ids.length, 1)
      yield* allEnd(ids)
    })
  )

  it.live("is stopped at the size limit, before the time limit, if it never stops writing", () =>
    Effect.gen(function* () {
      const { reason } = yield* decodedBy("exec cat /dev/zero", "10 minutes")
      assert.deepStrictEqual(reason, {
        _tag: "MediaUndecodable",
        detail: "it decodes to more sound than its length allows"
      })
    })
  )

  it.live("is reported with one short line of text if it logs 10 MB of arbitrary bytes", () =>
    Effect.gen(function* () {
      const before = bytesInUse()
      const { reason } = yield* decodedBy(`${hostileLog}\nprintf 'the \\000 end' >&2; exit 1`)
      assert.strictEqual(reason._tag, "MediaUndecodable")
      const detail = "detail" in reason ? reason.detail : ""
      assert.match(detail, /^[\x20-\x7e]{1,500}$/)
      assert.isTrue(detail.endsWith("the end"))
      assert.strictEqual(sentence(reason), "The file could not be decoded")
      assert.isBelow(bytesInUse() - before, 8 * 1_048_576)
    })
  )
})
