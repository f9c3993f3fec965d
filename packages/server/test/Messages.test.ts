/**
 * What commands say when they cannot do what they are asked: the thing and the reason, in a
 * sentence, with status 1; and with status 2 when nobody could understand what they were asked.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "vitest"
import { startCountingListener } from "./countingListener.ts"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate, type Settings } from "./ServerProcess.ts"

const anyId = "01900000-0000-7000-8000-000000000000"

/** Runs commands that fail: their sentence is one, and shows nothing of the program. */
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

/** In this process, and in one of its own: each kind of failure is seen there once. */
const [fail, failAlone] = [failing(operateInProcess), failing(operate)]

describe("a command that needs a store", () => {
  const commands = [
    ["keys", "list"],
    ["keys", "create", "--kind", "inference"],
    ["workspaces", "delete", anyId, "--yes"],
    ["workspaces", "secrets", "list"]
  ]

  it.each(commands.map((args) => [args.join(" "), args] as const))(
    "makes none in a folder that has none: %s",
    async (_, args) => {
      await using directory = await dataDirectory()
      const place = join(directory.path, "verbatim.db")
      const sentence = await fail(directory.path, args)
      assert.include(sentence, `There is no Verbatim store in ${place}.`)
      assert.include(sentence, "VERBATIM_DATA_DIR")
      assert.deepStrictEqual(await readdir(directory.path), [])
    }
  )

  it("leaves a file as it is that holds something else, or nothing", async () => {
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

describe("a database that cannot be used is named with its reason", () => {
  const tell = (directory: string, path: string, run = fail) =>
    run(directory, ["serve"], { VERBATIM_DATABASE_URL: `sqlite:${path}` })

  it("when it is something else", async () => {
    await using directory = await dataDirectory()
    const text = join(directory.path, "text.db")
    await writeFile(text, "Not a database, but long enough to be one. ".repeat(50))
    await mkdir(join(directory.path, "folder.db"))
    assert.include(
      await tell(directory.path, text),
      `The database ${text} cannot be opened or written: it is not an SQLite database`
    )
    assert.include(await tell(directory.path, join(directory.path, "folder.db")), "it is a folder")
    const listed = { VERBATIM_DATABASE_URL: `sqlite:${text}` }
    assert.include(await fail(directory.path, ["keys", "list"], listed), "not an SQLite database")
  })

  // A start waits five seconds for it, and longer where processors are busy.
  it("when another program has locked it", async () => {
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

describe("a server that cannot start names", () => {
  it("the variable that may be meant, and never what is in it", async () => {
    await using directory = await dataDirectory()
    await operate(directory.path, ["keys", "create", "--kind", "operator"])
    const settings = {
      VERBATIM_PROT: "9",
      VERBATIM_BOOTSTRAP_OPERATOR_KEYS: "hush-hush",
      VERBATIM_SOMETHING_ELSE: "x"
    }
    const { status, stderr } = await operate(directory.path, ["workspaces", "list"], settings)
    assert.strictEqual(status, 0)
    assert.include(stderr, "no setting VERBATIM_PROT; it is ignored. Did you mean VERBATIM_PORT?")
    assert.include(stderr, "Did you mean VERBATIM_BOOTSTRAP_OPERATOR_KEY?")
    assert.notMatch(stderr, /hush|SOMETHING/)
    assert.strictEqual(stderr.match(/Did you mean/g)?.length, 2)
  })
})

describe("before anything is fetched or removed", () => {
  it("a file that is no recording is refused by its extension", async () => {
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

  it("a model that is not installed is not said to be removed", async () => {
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

describe("a command that cannot be understood ends with status 2", () => {
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
    [["keys", "create", "--kind", "operator", "--expires", "2027-02-30T00:00Z"], "an instant"],
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

  it("with the usage and the mistake on the error output alone, and no secret", async () => {
    await using directory = await dataDirectory()
    const told = async (line: (typeof lines)[number], run: typeof operateInProcess) => {
      const [args, sentence] = line
      const { status, stderr, stdout } = await run(directory.path, args)
      assert.deepStrictEqual([status, stdout], [2, ""], `${args.join(" ")}: ${stderr}`)
      assert.include(stderr, sentence, args.join(" "))
      assert.notInclude(stderr, "0123456789")
    }
    for (const line of lines) await told(line, operateInProcess)
    // One that the parser refuses, and one that only its command can.
    for (const line of lines) {
      if (/vbm_|belong/.test(line[1])) await told(line, operate)
    }
    assert.deepStrictEqual(await readdir(directory.path), [])
  })

  it("but not one that asks for help", async () => {
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
