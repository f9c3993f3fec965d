/** Each rule is shown once to fail, and clean text to pass all of them. */
import { assert, describe, it } from "vitest"
import { findings } from "../tidy/Rules.ts"
import { source } from "../tidy/Source.ts"

const dependencies = new Map([["packages/adapters", ["@verbatim/core", "effect", "undici"]]])

/** What the rules say about one file: `line rule`. The module comment is line 1. */
const told = (path: string, ...lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = ["/** An idea. */", ...lines, ""].join("\n")
  return findings([source(path, text)], dependencies).map(({ line, rule }) => `${line} ${rule}`)
}

const lines = (count: number, line: string): ReadonlyArray<string> => Array(count).fill(line)

const jobs = "packages/core/src/services/Jobs.ts"
const job = "packages/core/src/domain/job/Job.ts"

describe("tidy", () => {
  it("passes clean text", () => {
    const text = [
      'import { Effect, Schema } from "effect"',
      'import * as Machine from "../machine/Machine.ts"',
      "",
      "/** A duty, due at `Date.now()` of the store: never fetch(it) in a try { } block. */",
      'export const owed = (job: string) => Effect.succeed(`${job} "throw new Date()"`)',
      "export class Slug extends Schema.String {}"
    ]
    assert.deepStrictEqual(told(job, ...text), [])
  })

  describe("directions", () => {
    it("keeps node out of core", () => {
      assert.deepStrictEqual(told(job, 'import { readFile } from "node:fs"'), ["2 direction"])
      assert.deepStrictEqual(told(job, 'import "node:fs"'), ["2 direction"])
      assert.deepStrictEqual(told(job, 'export const fs = import("node:fs")'), ["2 direction"])
    })

    it("keeps the outer modules of effect out of core", () => {
      assert.deepStrictEqual(told(job, 'import { HttpApi } from "effect/http-api"'), [
        "2 direction"
      ])
      assert.deepStrictEqual(told(job, 'import { SqlClient } from "effect/sql"'), ["2 direction"])
      assert.deepStrictEqual(told(job, 'import * as Schema from "effect/Schema"'), [])
    })

    it("gives every folder of core a place in the order", () => {
      const stranger = "packages/core/src/elsewhere/Thing.ts"
      const line = 'import { Job } from "../domain/job/Job.ts"'
      assert.deepStrictEqual(told(stranger, line), ["2 direction"])
    })

    it("keeps adapters out of http", () => {
      const line = 'import type { layer } from "@verbatim/adapters/memory"'
      assert.deepStrictEqual(told("packages/http/src/Api.ts", line), ["2 direction"])
      assert.deepStrictEqual(told("packages/verbatim/src/embed.ts", line), [])
    })

    it("keeps http, machines and the dependencies of others out of adapters", () => {
      const path = "packages/adapters/src/memory/index.ts"
      assert.deepStrictEqual(
        told(
          path,
          'import { Api } from "@verbatim/http"',
          'import { make } from "@verbatim/core/domain/machine/Machine"',
          'import { sharp } from "sharp"',
          'import { Job } from "@verbatim/core/domain/job/Job"',
          'import { join } from "node:path"'
        ),
        ["2 direction", "3 direction", "4 direction"]
      )
    })

    it("lets testkit use the memory adapter alone", () => {
      const path = "packages/testkit/src/index.ts"
      assert.deepStrictEqual(
        told(
          path,
          'import * as Memory from "@verbatim/adapters/memory"',
          'import * as Sqlite from "@verbatim/adapters/sqlite"'
        ),
        ["3 direction"]
      )
    })

    it("lets each layer of core see the ones before it", () => {
      const ports = 'import { JobStore } from "../ports/JobStore.ts"'
      assert.deepStrictEqual(told(job, ports), ["2 direction"])
      assert.deepStrictEqual(told(jobs, ports), [])
      assert.deepStrictEqual(told(jobs, 'import { Worker } from "../worker/Worker.ts"'), [
        "2 direction"
      ])
    })

    it("finds an import that spans lines", () => {
      assert.deepStrictEqual(told(job, "import {", "  JobStore", '} from "../ports/JobStore.ts"'), [
        "4 direction"
      ])
    })

    it("refuses a path into another package", () => {
      const line = 'import { Job } from "../../core/src/domain/job/Job.ts"'
      assert.deepStrictEqual(told("packages/http/src/Api.ts", line), ["2 direction"])
    })
  })

  describe("outbound", () => {
    it("lets one folder alone open connections", () => {
      const text = ['import { request } from "undici"', 'export const answer = fetch("x")']
      assert.deepStrictEqual(told("packages/adapters/src/net/index.ts", ...text), [])
      assert.deepStrictEqual(told("packages/adapters/src/openai/index.ts", ...text), [
        "2 outbound",
        "3 outbound"
      ])
    })

    it("lets the composition root listen, not connect", () => {
      const path = "packages/verbatim/src/main.ts"
      assert.deepStrictEqual(told(path, 'import { createServer } from "node:http"'), [])
      assert.deepStrictEqual(told(path, 'import { request } from "node:http"'), ["2 outbound"])
      assert.deepStrictEqual(told(path, 'import * as Net from "node:net"'), ["2 outbound"])
      assert.deepStrictEqual(told(path, 'import type { Socket } from "node:net"'), [])
    })

    it("lets a port be called fetch", () => {
      assert.deepStrictEqual(told(job, "export const media = fetcher.fetch(url)"), [])
    })
  })

  describe("vocabulary", () => {
    const refused = [
      "export const now = Date.now()",
      "export const now = new Date()",
      "export const dice = Math.random()",
      "setTimeout(() => 1, 2)",
      "export const home = process.env.HOME",
      "console.log(1)",
      "export const f = async () => 1",
      "export const x = await y",
      "try {",
      "throw x",
      "export const id = crypto.randomUUID()",
      "export const text = `${Date.now()}`"
    ]
    for (const line of refused) {
      it(`refuses in core: ${line}`, () => {
        assert.deepStrictEqual(told(job, line), ["2 vocabulary"])
      })
    }

    it("lets members and keys have such names", () => {
      assert.deepStrictEqual(
        told(job, "export const x = Effect.try({ try: f, await: Deferred.await(d) })"),
        []
      )
    })

    it("lets the rest of the house say them", () => {
      assert.deepStrictEqual(
        told("packages/verbatim/src/main.ts", "export const n = Date.now()"),
        []
      )
    })

    it("says what to use instead", () => {
      const text = "/** An idea. */\nexport const now = Date.now()\n"
      const [found] = findings([source(job, text)], dependencies)
      assert.strictEqual(found?.advice, "no Date here: use Clock and DateTime of effect")
    })

    it("keeps decisions out of adapters", () => {
      assert.deepStrictEqual(
        told("packages/adapters/src/sql/index.ts", "export const to = Preset.transition(a, b)"),
        ["2 vocabulary"]
      )
    })
  })

  describe("sizes", () => {
    it("limits a file, migrations excepted", () => {
      const text = lines(300, "")
      assert.deepStrictEqual(told(job, ...text), ["301 file size"])
      assert.deepStrictEqual(told("packages/adapters/src/sql/migrations/0001.ts", ...text), [])
    })

    it("limits a line, addresses in comments excepted", () => {
      const long = "x".repeat(101)
      assert.deepStrictEqual(told(job, `// ${long}`, `// https://example.org/${long}`), [
        "2 line width"
      ])
    })

    it("limits a function by the lines that are its own", () => {
      const inner = ["  const g = () => {", ...lines(30, "    f()"), "  }"]
      const outer = ["export const f = () => {", ...inner, ...lines(40, "  f()"), "}"]
      assert.deepStrictEqual(told(job, ...outer), [])
      assert.deepStrictEqual(told(job, "const f = () => {", ...lines(60, "  f()"), "}"), [
        "2 function size"
      ])
    })
  })

  describe("names", () => {
    it("bans words that say nothing", () => {
      assert.deepStrictEqual(told("packages/http/src/HttpUtils.ts"), ["1 name"])
      assert.deepStrictEqual(told(job, "export const jobInfo = 1", "const jobInfo = 1"), ["2 name"])
      assert.deepStrictEqual(told(job, "export { a as dataOf }"), ["2 name"])
    })

    it("lets longer words contain them", () => {
      assert.deepStrictEqual(
        told("packages/verbatim/src/Database.ts", "export const basis = 1"),
        []
      )
    })
  })

  describe("shape", () => {
    it("asks for a module comment, and a short one", () => {
      const tell = (text: string) => findings([source(job, text)], dependencies).length
      assert.strictEqual(tell("export const a = 1\n"), 1)
      assert.strictEqual(tell("/**\n * a\n * b\n * c\n * d\n * e\n */\n"), 0)
      assert.strictEqual(tell("/**\n * a\n * b\n * c\n * d\n * e\n * f\n */\n"), 1)
      assert.strictEqual(tell("#!/usr/bin/env node\n/** The command. */\n"), 0)
    })

    it("refuses default exports and any", () => {
      assert.deepStrictEqual(told(job, "export default 1"), ["2 default export"])
      assert.deepStrictEqual(
        told(
          job,
          "export const a: any = 1",
          "export const b = c as any",
          "export type D = Array<any>"
        ),
        ["2 any", "3 any", "4 any"]
      )
      assert.deepStrictEqual(told(job, "export const any = Effect.any(1)"), [])
    })
  })
})
