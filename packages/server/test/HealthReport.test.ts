/** Tests the health report of a server after its files are removed while it runs. */
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { call, createPreset, onServedFile, serving, temporary } from "./Serving.ts"

/** Calls both health routes. The server caches their responses for a few seconds. */
const look = Effect.map(Effect.all([call("/health"), call("/health/ready")]), ([alive, ready]) => ({
  ...ready.json,
  alive: alive.status,
  ready: ready.status
}))

interface Seen {
  readonly ready: number
  readonly media: { readonly status: string }
}

const lookUntil = (is: (seen: Seen) => boolean) =>
  Effect.repeat(Effect.delay(look, "50 millis"), { until: is })

const isNotReady = ({ ready }: { readonly ready: number }) => ready === 503

/** Ways to remove a database file and, where possible, to restore it. */
const losses = {
  "is removed": (file: string) => rmSync(file),
  "is removed with the files next to it": (file: string) => {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
  },
  "loses its last writes": (file: string) => rmSync(`${file}-wal`),
  "is opened through a link and loses its last writes": (file: string) =>
    rmSync(`${file}.real-wal`),
  "is moved away": (file: string) => renameSync(file, `${file}.old`),
  "is replaced by another file": (file: string) => {
    writeFileSync(`${file}.new`, "")
    renameSync(`${file}.new`, file)
  }
}

describe("a server that loses its database", () => {
  for (const [what, lose] of Object.entries(losses)) {
    it.live(`refuses writes, stays alive, and is not ready if the file ${what}`, () =>
      onServedFile(
        Effect.fnUntraced(function* (file) {
          assert.strictEqual((yield* createPreset("before")).status, 200)
          assert.deepInclude(yield* look, { alive: 200, ready: 200, store: "up" })
          lose(file)
          const write = yield* createPreset("after")
          assert.deepStrictEqual([write.status, write.retryAfter], [500, "10"])
          // The existing data can still be read and copied.
          assert.strictEqual((yield* call("/v1/presets/before")).status, 200)
          assert.strictEqual((yield* call("/v1/presets/after")).status, 404)
          const seen = yield* lookUntil(isNotReady)
          assert.deepInclude(seen, { alive: 200, status: "ok", store: "read_only" })
        }),
        (file) => what.includes("link") && symlinkSync(`${file}.real`, file)
      )
    )
  }

  it.live("is ready again once the moved file is back in its place", () =>
    onServedFile(
      Effect.fnUntraced(function* (file) {
        renameSync(file, `${file}.old`)
        yield* lookUntil(isNotReady)
        assert.isFalse(existsSync(file))
        renameSync(`${file}.old`, file)
        yield* lookUntil(({ ready }) => ready === 200)
        assert.strictEqual((yield* createPreset("after")).status, 200)
      })
    )
  )
})

describe("a server that loses its media folder", () => {
  const media = (directory: string) => join(directory, "media")
  for (const [what, lose, standing] of [
    ["is removed", (directory: string) => rmSync(media(directory), { recursive: true }), "foreign"],
    [
      "accepts no new files",
      (directory: string) => {
        rmSync(join(media(directory), ".staging"), { recursive: true })
        writeFileSync(join(media(directory), ".staging"), "")
      },
      "unreachable"
    ]
  ] as const) {
    it.live(`stays alive, and is not ready if the folder ${what}`, () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        yield* Effect.gen(function* () {
          assert.deepInclude(yield* look, { alive: 200, ready: 200 })
          lose(directory)
          const seen = yield* lookUntil(isNotReady)
          assert.deepInclude(seen, { alive: 200, status: "ok", store: "up" })
          // A changed marker is noticed within five seconds.
          yield* lookUntil(({ media }) => media.status === standing)
          assert.strictEqual((yield* createPreset("beside")).status, 200)
        }).pipe(Effect.provide(serving({ VERBATIM_DATA_DIR: directory })))
      }).pipe(Effect.scoped)
    )
  }
})
