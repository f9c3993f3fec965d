/** Tests the output and the exit status of `verbatim presets`, and the presets that it stores. */
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "../operateInProcess.ts"
import { dataDirectory, operate, type Settings } from "../ServerProcess.ts"
import { type KeyName, useKeyedServer } from "./keyedServer.ts"

const { root, ways } = await useKeyedServer()

/** Replaces timestamps and ids, which differ between runs. */
const steady = (text: string, folder: string): string =>
  text
    .replaceAll(folder, "presets")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")

const notes = `slug: notes
name: Meeting notes
system_prompt: |
  You write notes.

  Be short.
config:
  model: openai/gpt-4o
  temperature: 0.2
`

for (const [way, settingsOf] of Object.entries(ways)) {
  /** Returns functions that run commands with a folder of files. */
  const inFolder = async (key: KeyName = "management") => {
    const folder = await dataDirectory()
    const settings = await settingsOf(key)
    const run = async (...args: ReadonlyArray<string>) => {
      const isFiling = ["export", "plan", "apply"].includes(args[0] ?? "")
      const agreed = args[0] === "apply" ? ["--yes"] : []
      const where = isFiling ? ["--dir", folder.path, ...agreed] : []
      const answer = await operateInProcess(root, ["presets", ...args, ...where], settings)
      const output = steady(answer.stdout, folder.path)
      return { output, status: answer.status, stderr: answer.stderr.trim() }
    }
    const write = (name: string, text: string) => writeFile(join(folder.path, name), text)
    return { folder, run, write, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
  }

  const slug = `notes-${way.toLowerCase()}`
  const text = notes.replace("slug: notes", `slug: ${slug}`)

  const shownText = `# version 2 of 2, designated; staging → 2
slug: ${slug}
name: meeting notes
description: null
status: active
format: responses
system_prompt: |
  You write notes.

  Be brief.
config:
  model: openai/gpt-4o
  top_p: 0.5
`

  describe(`presets managed by commands (${way})`, () => {
    it("can be planned, applied, shown, compared and resolved", async () => {
      await using work = await inFolder()
      const { run, write } = work
      await write(`${slug}.yaml`, text)
      const first = await run("plan")
      assert.include(first.output, `+ ${slug}  create  (presets/${slug}.yaml)\n`)
      assert.match(first.output, /^1 to create/m)
      assert.strictEqual(first.status, 2)
      const applied = await run("apply")
      assert.match(applied.output, /^1 to create/m)
      assert.match(applied.output, /^1 applied, 0 unchanged\.$/m)
      assert.strictEqual(applied.status, 0)
      const again = await run("apply")
      assert.match(again.output, /^0 applied, 1 unchanged\.$/m)
      assert.deepInclude(again, { status: 0, stderr: "" })
      await write(
        `${slug}.yaml`,
        text.replace("short", "brief").replace("temperature: 0.2", "top_p: 0.5").replace("M", "m")
      )
      const second = await run("plan")
      assert.include(
        second.output,
        `~ ${slug}  add and designate a version  (presets/${slug}.yaml)
    name: "Meeting notes" → "meeting notes"
    system_prompt:
    - Be short.
    + Be brief.
    config/temperature: removed 0.2
    config/top_p: added 0.5
`
      )
      const forPrograms = await run("plan", "--json")
      assert.strictEqual(forPrograms.status, 2)
      const [line = ""] = forPrograms.output.split("\n")
      assert.deepInclude(JSON.parse(line), { slug, action: "change", version: 1 })
      const commented = await run("apply", "--comment", "Be brief", "--json")
      const [applying = ""] = commented.output.split("\n")
      assert.deepInclude(JSON.parse(applying), { slug, action: "change", outcome: "applied" })
      assert.strictEqual((await run("label", slug, "staging", "latest")).status, 0)
      assert.strictEqual((await run("show", slug)).output, shownText)
      const compared = await run("diff", `${slug}@1`, `${slug}@staging`, "--json")
      assert.deepStrictEqual(JSON.parse(compared.output).config, [
        { path: "/temperature", kind: "removed", from: 0.2 },
        { path: "/top_p", kind: "added", to: 0.5 }
      ])
      const resolved = await run("resolve", `${slug}@1`)
      assert.deepStrictEqual(JSON.parse(resolved.output), {
        model: "openai/gpt-4o",
        temperature: 0.2,
        instructions: "You write notes.\n\nBe short.\n"
      })
    })

    it("can be edited, and their files list the fields that override requests", async () => {
      await using work = await inFolder()
      const { run, write } = work
      const edited = `edited-${way.toLowerCase()}`
      await write("a.yaml", `${text.replace(slug, edited)}wins: [temperature]\n`)
      assert.strictEqual((await run("apply")).status, 0)
      await write("prompt", "Sing.\n")
      const prompt = join(work.folder.path, "prompt")
      assert.deepStrictEqual(
        await run("edit", edited, ...["--set", "top_p=0.5", "--set", "service_tier=flex"]),
        { output: `${edited}: version 2 is designated.\n`, status: 0, stderr: "" }
      )
      const more = ["--unset", "top_p,temperature", "--system-prompt", prompt, "--stage"]
      const staged = await run(
        "edit",
        `${edited}@2`,
        ...more,
        "--comment",
        "Less",
        "--wins",
        "model"
      )
      assert.strictEqual(staged.output, `${edited}: version 3 is staged.\n`)
      const shown = await run("show", `${edited}@3`)
      assert.include(
        shown.output,
        "system_prompt: Sing.\nconfig:\n  model: openai/gpt-4o\n  service_tier: flex\n" +
          "wins:\n  - model\n"
      )
      assert.include(
        (await run("diff", `${edited}@2`, `${edited}@3`)).output,
        "wins: temperature → model"
      )
      assert.include((await run("versions", edited)).output, "  Less\n")
      await run("designate", edited, "3")
      await run("export", edited)
      assert.include(await readFile(join(work.folder.path, "a.yaml"), "utf8"), "wins:\n  - model")
      const none = await run("edit", edited, "--no-system-prompt", "--wins", "")
      assert.strictEqual(none.output, `${edited}: version 4 is designated.\n`)
      assert.notInclude((await run("show", edited)).output, "wins")
      const both = await run("edit", edited, "--no-system-prompt", "--system-prompt", prompt)
      assert.include(both.stderr, "Give --system-prompt or --no-system-prompt, not both.")
      assert.include(
        (await run("edit", edited, "--unset", "seed")).stderr,
        "unset: the version has no"
      )
    })

    it("keep variables in files, and are resolved with the variables' values", async () => {
      await using work = await inFolder()
      const { run, write } = work
      const greeting = `greeting-${way.toLowerCase()}`
      const prompt = "|\n  Greet {{ name }} of {{place}}."
      await write("a.yaml", `slug: ${greeting}\nsystem_prompt: ${prompt}\nconfig: {}\n`)
      assert.deepInclude(await run("apply"), { status: 0, stderr: "" })
      assert.include((await run("show", greeting)).output, "Greet {{ name }} of {{place}}.")
      const missing = await run("resolve", greeting, "--variable", "name=Ann")
      assert.include(missing.stderr, "variables: must have a text for place")
      assert.notStrictEqual(missing.status, 0)
      const values = ["--variable", "name=a=b", "--variable", "place=Ulm", "--variable", "year=1"]
      const resolved = await run("resolve", greeting, ...values)
      assert.deepStrictEqual(JSON.parse(resolved.output), { instructions: "Greet a=b of Ulm.\n" })
      assert.include(resolved.stderr, "variables.year is left out: the prompt has no such variable")
    })

    it("can be rolled back, and can be exported to files", async () => {
      await using work = await inFolder()
      const { run, write } = work
      const rolled = `rolled-${way.toLowerCase()}`
      await write("a.yaml", text.replace(slug, rolled))
      await run("apply")
      await write("a.yaml", text.replace(slug, rolled).replace("short", "brief"))
      await run("apply")
      assert.deepStrictEqual(await run("designate", rolled, "1", "--expect", "2"), {
        output: `${rolled}: version 1 is designated.\n`,
        status: 0,
        stderr: ""
      })
      const late = await run("designate", rolled, "2", "--expect", "2")
      assert.strictEqual(late.status, 2)
      assert.include(
        late.stderr,
        `The designated version of ${rolled} is version 1, not version 2.`
      )

      assert.strictEqual((await run("export", rolled)).output, `wrote presets/a.yaml\n`)
      assert.include((await run("plan")).output, "1 unchanged")
      const file = await readFile(join(work.folder.path, `a.yaml`), "utf8")
      assert.include(file, "Be short.")
      assert.strictEqual((await run("export", rolled)).output, `same  presets/a.yaml\n`)
      assert.deepStrictEqual(JSON.parse((await run("export", rolled, "--json")).output), {
        ...{ slug: rolled, file: "presets/a.yaml", is_written: false }
      })
      const listed = await run("list", "--text", rolled)
      const [, row] = listed.output.split("\n")
      assert.strictEqual(row, `${rolled}  active  <time>  Meeting notes`)
    })

    it("are promoted by moving a label, and archived by --prune if they have no file", async () => {
      const promoted = `promoted-${way.toLowerCase()}`
      await using work = await inFolder()
      await work.write("a.yaml", text.replace(slug, promoted))
      await work.run("apply")
      await work.write("a.yaml", text.replace(slug, promoted).replace("short", "kind"))
      const staged = await work.run("apply", "--label", "staging")
      assert.include(staged.output, "add a staged version, point staging to it")
      assert.include((await work.run("show", promoted)).output, "# version 1 of 2, designated; s")
      assert.include(
        (await work.run("apply", "--label", "canary")).output,
        "point canary to version 2"
      )
      const removed = await work.run("label", promoted, "canary", "--remove")
      assert.strictEqual(removed.output, `${promoted}: canary is removed.\n`)
      await work.write("a.yaml", text.replace(slug, `other-${promoted}`))
      assert.include((await work.run("plan")).output, `? ${promoted}  no file`)
      assert.include(
        (await work.run("plan", "--prune")).output,
        `- ${promoted}  set status to archived`
      )
      await rm(join(work.folder.path, "a.yaml"))
      const empty = await work.run("apply", "--prune")
      assert.strictEqual(empty.status, 2)
      assert.include(empty.stderr, "would archive every preset")
    })
  })
}

describe("the commands for presets", () => {
  it("explain a failure in one sentence, and exit with 1, or 2 for incorrect usage", async () => {
    await using folder = await dataDirectory()
    const at = ["--dir", folder.path]
    await using none = await dataDirectory()
    const empty = ["--dir", none.path]
    const server = await ways.HTTP("management")
    await writeFile(join(folder.path, "a.yaml"), "slug: a\nconfig:\n  model: &x b\n")
    const rows: ReadonlyArray<readonly [Settings, ReadonlyArray<string>, number, string]> = [
      [server, ["apply", ...at], 2, "Pass --yes"],
      [server, ["plan", ...at], 1, "a.yaml:3: anchors are not accepted"],
      [
        server,
        ["plan", "--dir", join(folder.path, "absent")],
        1,
        "absent: there is no such folder"
      ],
      [
        server,
        ["apply", "--yes", "--base", "nobase", ...empty],
        1,
        "nobase: there is no such folder"
      ],
      [server, ["show", "nobody"], 1, "There is no preset nobody."],
      [server, ["show", "a@b@c"], 2, "a preset, optionally with @"],
      [server, ["label", "a", "production"], 2, "Give a version or --remove."],
      [server, ["list", "--workspace", "x"], 2, "Leave out --workspace"],
      [server, ["list", "--url", ""], 2, "a value that is not empty"],
      [{ VERBATIM_URL: server.VERBATIM_URL ?? "" }, ["list"], 2, "Set VERBATIM_KEY"],
      [{ ...server, VERBATIM_KEY: "wrong-key" }, ["list"], 1, "Invalid API key"],
      [{ VERBATIM_KEY: "wrong-key" }, ["list"], 1, "Invalid API key"],
      [{ ...server, VERBATIM_URL: "http://u:hush@x" }, ["list"], 1, "holds credentials"],
      [{ ...server, VERBATIM_URL: "ftp" }, ["list"], 1, "ftp"]
    ]
    for (const [settings, args, status, output] of rows) {
      const answer = await operateInProcess(root, ["presets", ...args], settings)
      assert.include(answer.stderr, output)
      assert.strictEqual(answer.status, status, output)
      assert.notMatch(answer.stdout + answer.stderr, /hush|\n\s+at /)
    }
  })

  it("set the process's exit status, and appear in the help", async () => {
    await using folder = await dataDirectory()
    await writeFile(join(folder.path, "a.yaml"), "slug: alone\nconfig: {model: a}\n")
    const args = (name: string) => ["presets", name, "--dir", folder.path]
    const planned = await operate(root, args("plan"))
    assert.deepStrictEqual([planned.status, planned.stderr], [2, ""])
    assert.strictEqual((await operate(root, [...args("apply"), "--yes"])).status, 0)
    assert.strictEqual((await operate(root, args("plan"))).status, 0)
    const set = ["--set", "seed=9223372036854775807", "--set", "foo=1"]
    const edit = ["presets", "edit", "alone", "--system-prompt", "-", "--set", "top_p=1", ...set]
    const edited = await operate(root, edit, {}, ["sh", "-c", 'printf Hello | "$@"', "sh"])
    assert.deepStrictEqual([edited.status, edited.stderr], [0, ""])
    assert.match(edited.stdout, /\nNot stored, or stored only in part: seed, foo\.\n$/)
    const shown = await operate(root, ["presets", "show", "alone"])
    assert.match(shown.stdout, /system_prompt: Hello\nconfig:\n {2}model: a\n {2}top_p: 1\n/)
    const help = await operate(root, ["presets", "--help"])
    for (const word of ["export", "plan", "apply", "VERBATIM_URL", "VERBATIM_KEY"]) {
      assert.include(help.stdout, word)
    }
  })
})
