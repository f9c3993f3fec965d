/**
 * Tests that a failing command explains the reason in one sentence, and exits with 1, or with 2 for
 * incorrect usage.
 */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { startCountingListener } from "./countingListener.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate, type Settings } from "./ServerProcess.ts"

const anyId = "01900000-0000-7000-8000-000000000000"

/** Returns a function that runs a command, which must fail with one sentence and no stack trace. */
const failing =
  (run: typeof operateInProcess) =>
  async (
    directory: string,
    args: ReadonlyArray<string>,
    settings: Settings = {}
  ): Promise<string> => {
    const { status, stderr, stdout } = await run(directory, args, settings)
    assert.deepStrictEqual([status, stdout], [1, ""], `${args.join(" ")}: ${stderr}`)
    assert.notMatch(stderr, / at .*\.[jt]s|SqlError|\n\s+at /)
    return stderr
  }

/** Most commands run in this process. One failure of each kind is tested in a separate process. */
const [fail, failAlone] = [failing(operateInProcess), failing(operate)]

describe("a command that needs a store", () => {
  const commands = [
    ["keys", "list"],
    ["keys", "create", "--kind", "inference"],
    ["workspaces", "delete", anyId, "--yes"],
    ["workspaces", "secrets", "list"]
  ]

  it.each(commands.map((args) => [args.join(" "), args] as const))(
    "creates no store in a folder without one: %s",
    async (_, args) => {
      await using directory = await dataDirectory()
      const place = join(directory.path, "verbatim.db")
      const sentence = await fail(directory.path, args)
      assert.include(sentence, `There is no Verbatim store in ${place}.`)
      assert.include(sentence, "VERBATIM_DATA_DIR")
      assert.deepStrictEqual(await readdir(directory.path), [])
    }
  )

  it("does not change an empty file or another program's file", async () => {
    await using directory = await dataDirectory()
    const empty = join(directory.path, "empty.db")
    const other = join(directory.path, "other.db")
    await writeFile(empty, "")
    const database = new DatabaseSync(other)
    database.exec("CREATE TABLE notes (text TEXT)")
    database.close()
    for (const path of [empty, other]) {
      const before = await readFile(path)
      const settings = { VERBATIM_DATABASE_URL: `sqlite:${path}` }
      const sentence = await fail(directory.path, ["keys", "list"], settings)
      assert.include(sentence, `There is no Verbatim store in ${path}.`)
      assert.isTrue(before.equals(await readFile(path)))
    }
    assert.deepStrictEqual((await readdir(directory.path)).toSorted(), ["empty.db", "other.db"])
  })
})

describe("an unusable database", () => {
  const tell = (directory: string, path: string, run = fail) =>
    run(directory, ["serve"], { VERBATIM_DATABASE_URL: `sqlite:${path}` })

  // When a server starts, it waits for the lock for five seconds, or longer on a busy machine.
  it("is reported with the reason if another program has locked the file", async () => {
    await using directory = await dataDirectory()
    const path = join(directory.path, "locked.db")
    const database = new DatabaseSync(path)
    database.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE notes (text TEXT)")
    assert.include(
      await tell(directory.path, path, failAlone),
      `${path} cannot be opened or written: another program has locked it`
    )
    database.close()
  })
})

describe("a command with misspelt variables", () => {
  it("suggests the correct names, without showing values", async () => {
    await using directory = await dataDirectory()
    await operate(directory.path, ["keys", "create", "--kind", "operator"])
    const settings = {
      VERBATIM_PROT: "9",
      VERBATIM_BOOTSTRAP_OPERATOR_KEYS: "hush-hush",
      VERBATIM_SOMETHING_ELSE: "x"
    }
    const { status, stderr } = await operate(directory.path, ["workspaces", "list"], settings)
    assert.strictEqual(status, 0)
    assert.include(
      stderr,
      "VERBATIM_PROT is not a setting, and is ignored. Did you mean VERBATIM_PORT?"
    )
    assert.include(stderr, "Did you mean VERBATIM_BOOTSTRAP_OPERATOR_KEY?")
    assert.notMatch(stderr, /hush|SOMETHING/)
    assert.strictEqual(stderr.match(/Did you mean/g)?.length, 2)
  })
})

describe("a failing command that downloads and removes nothing", () => {
  it("refuses a file whose extension is not that of a recording", async () => {
    await using directory = await dataDirectory()
    using source = await startCountingListener()
    const path = join(directory.path, "README.md")
    await writeFile(path, "# Not a recording")
    const settings = {
      VERBATIM_CACHE_DIR: directory.path,
      VERBATIM_MODEL_SOURCE: `http://127.0.0.1:${source.port}`
    }
    for (const transcriber of ["auto", "whisper"]) {
      const sentence = await fail(directory.path, ["transcribe", path], {
        ...settings,
        VERBATIM_TRANSCRIBER: transcriber
      })
      assert.include(sentence, `${path}: Unsupported file extension: .md.`)
    }
    assert.strictEqual(source.visits(), 0)
    assert.deepStrictEqual(await readdir(directory.path), ["README.md"])
  })

  it("refuses to remove a model that is not installed", async () => {
    await using directory = await dataDirectory()
    const settings = { VERBATIM_MODELS: directory.path }
    assert.include(
      await fail(directory.path, ["engines", "remove", "base"], settings),
      `base is not installed in ${directory.path}: nothing was removed.`
    )
    assert.include(
      await fail(directory.path, ["engines", "remove", "nothing"], settings),
      "There is no model nothing."
    )
  })
})

describe("a command with invalid arguments", () => {
  const token = `vbm_${"0123456789abcdef".repeat(3)}`
  const lines: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
    [[], "USAGE"],
    [["keys"], "USAGE"],
    [["sevre"], "Unknown subcommand"],
    [["keys", "lst"], "Unknown subcommand"],
    [["keys", "list", "--al"], "Unrecognized flag: --al"],
    [["keys", "list", token], 'Unexpected positional argument: "vbm_…"'],
    [["keys", "create"], "Missing required flag: --kind"],
    [["keys", "create", "--kind", "root"], "--kind"],
    [["keys", "create", "--kind", "operator", "--scopes", "all"], "presets:read, presets:write"],
    [["keys", "create", "--kind", "operator", "--user", "ann"], "belong to no workspace"],
    [["keys", "create", "--kind", "operator", "--expires", "tomorrow"], "2027-01-01T00:00:00Z"],
    [["keys", "create", "--kind", "operator", "--expires", "2027-02-30T00:00Z"], "a timestamp"],
    [["keys", "create", "--kind", "operator", "--name", ""], "--name"],
    [["keys", "rotate", anyId, "--overlap", "soon"], "`1 hour`"],
    [["keys", "rotate", anyId, "--overlap=-1 hours"], "`1 hour`"],
    [["keys", "rotate", anyId, "--overlap", "31 days"], "30 days"],
    [["workspaces", "create"], "Missing required flag: --name"],
    [["workspaces", "create", "--name", "a".repeat(256)], "1 to 255 characters"],
    [["workspaces", "show"], "Missing required argument: id"],
    [["transcribe"], "file"],
    [["engines", "remove"], "Missing required argument: model"],
    [["media", "adopted"], "Unknown subcommand"]
  ]

  it("exits with status 2 and explains the mistake on stderr, without secrets", async () => {
    await using directory = await dataDirectory()
    const checkLine = async (line: (typeof lines)[number], run: typeof operateInProcess) => {
      const [args, sentence] = line
      const { status, stderr, stdout } = await run(directory.path, args)
      assert.deepStrictEqual([status, stdout], [2, ""], `${args.join(" ")}: ${stderr}`)
      assert.include(stderr, sentence, args.join(" "))
      assert.notInclude(stderr, "0123456789")
    }
    for (const line of lines) await checkLine(line, operateInProcess)
    // The parser finds the first mistake. Only the command itself can find the second.
    for (const line of lines) {
      if (/vbm_|belong/.test(line[1])) await checkLine(line, operate)
    }
    assert.deepStrictEqual(await readdir(directory.path), [])
  })

  it("exits with status 0 if the user also asks for help or the version", async () => {
    await using directory = await dataDirectory()
    for (const [args, run] of [
      [["--help"], operateInProcess],
      [["keys", "--help"], operate],
      [["--version"], operateInProcess]
    ] as const) {
      const { status, stderr, stdout } = await run(directory.path, args)
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.notStrictEqual(stdout, "")
    }
  })
})
