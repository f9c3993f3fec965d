/** Tests which files of a folder presets are written to, and that no file is lost. */
import { execFileSync } from "node:child_process"
import { chmod, lstat, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { placeIn, readFolder, writeFiled, writeWhole } from "#src/presets/PresetFolder"
import { dataDirectory } from "../ServerProcess.ts"

const makeFolder = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { path } = yield* Effect.acquireRelease(
      Effect.promise(() => dataDirectory()),
      (folder) => Effect.promise(() => folder[Symbol.asyncDispose]())
    )
    for (const [name, text] of Object.entries(files)) {
      yield* Effect.promise(() => writeFile(join(path, name), text))
    }
    return path
  })

const fileOf = (slug: string, model = slug) => `slug: ${slug}\nconfig:\n  model: ${model}\n`

/** Returns the file that a preset would be written to. */
const findPlace = Effect.fnUntraced(function* (folder: string, slug: string) {
  const there = yield* readFolder(folder)
  return (yield* placeIn(folder, { slug, there, format: "yaml" })).slice(folder.length + 1)
})

describe("a preset folder", () => {
  it.effect("finds a file for each preset, even if its usual file contains another preset", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder({
        "notes.yaml": fileOf("support"),
        "Other.yml": fileOf("third"),
        "Letters.yaml": fileOf("fourth")
      })
      assert.strictEqual(yield* findPlace(folder, "support"), "notes.yaml")
      assert.match(yield* findPlace(folder, "notes"), /^_notes~[0-9a-f]{16}\.yaml$/)
      assert.strictEqual(yield* findPlace(folder, "other"), "other.yaml")
      assert.match(yield* findPlace(folder, "letters"), /^_letters~[0-9a-f]{16}\.yaml$/)

      const place = yield* findPlace(folder, "notes")
      yield* Effect.promise(() => writeFile(join(folder, place), fileOf("fifth")))
      const refusal = yield* Effect.flip(findPlace(folder, "notes"))
      assert.include(refusal.message, "notes.yaml: it holds the preset support: rename it")
    })
  )

  it.effect("refuses pipes and devices without opening or replacing them", () =>
    Effect.gen(function* () {
      const [piped, linked] = [yield* makeFolder({}), yield* makeFolder({})]
      const [pipe, link] = [join(piped, "a.yaml"), join(linked, "a.yaml")]
      execFileSync("mkfifo", [pipe])
      yield* Effect.promise(() => symlink("/dev/zero", link))
      for (const [folder, file] of [
        [piped, pipe],
        [linked, link]
      ] as const) {
        const read = yield* Effect.flip(readFolder(folder))
        assert.include(read.message, "it is a pipe, a device or a socket")
        const written = yield* Effect.flip(writeWhole(file, fileOf("a")))
        assert.include(written.message, "it is a pipe, a device or a socket")
      }
      assert.isTrue((yield* Effect.promise(() => lstat(pipe))).isFIFO())
    })
  )

  it.effect("names all unreadable files in one error, up to 20 of them", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder({
        "a.yaml": "slug: a\nconfig: *b",
        "b.json": "{",
        "c.yaml": fileOf("good"),
        "d.yaml": fileOf("good")
      })
      const lines = (yield* Effect.flip(readFolder(folder))).message.split("\n")
      assert.deepStrictEqual(
        lines.map((line) => line.slice(folder.length + 1).split(":")[0]),
        ["a.yaml", "b.json", "d.yaml"]
      )
      const bad = Array.from({ length: 25 }, (_, index) => [`${index}.json`, "{"] as const)
      const many = yield* makeFolder(Object.fromEntries(bad))
      const reported = (yield* Effect.flip(readFolder(many))).message.split("\n")
      assert.deepStrictEqual(
        [reported.length, reported.at(-1)],
        [21, "5 more files cannot be read"]
      )
    })
  )

  it.effect("keeps the links and permissions of files", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder({ "one.yaml": fileOf("one") })
      const elsewhere = yield* makeFolder({ "two.yaml": fileOf("two") })
      const [file, link] = [join(folder, "one.yaml"), join(folder, "two.yaml")]
      const target = join(elsewhere, "two.yaml")
      yield* Effect.promise(() => chmod(file, 0o600))
      yield* Effect.promise(() => symlink(target, link))
      for (const { preset, file } of (yield* readFolder(folder)).values()) {
        const content = { ...preset.content, config: { model: "new" } }
        assert.isTrue(yield* writeFiled({ file, preset: { ...preset, content } }))
      }
      assert.strictEqual((yield* Effect.promise(() => stat(file))).mode & 0o777, 0o600)
      assert.isTrue((yield* Effect.promise(() => lstat(link))).isSymbolicLink())
      assert.include(yield* Effect.promise(() => readFile(target, "utf8")), "model: new")
      assert.strictEqual((yield* readFolder(elsewhere)).size, 1)
    })
  )
})
