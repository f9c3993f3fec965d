import { assert, describe, it } from "vitest"
import { withDiagram } from "../documents/Diagram.ts"
import { examplesIn, withExamples } from "../documents/Examples.ts"
import { failuresIn, lineOf } from "../documents/Report.ts"

const edges = {
  Waiting: { Started: "Running" },
  Running: { Stopped: "Waiting", Done: "End" },
  End: {}
}

const comment = (...diagram: ReadonlyArray<string>): string =>
  ["/**", " * A machine.", " *", " * ```mermaid", ...diagram, " * ```", " */", "code", ""].join(
    "\n"
  )

describe("diagram", () => {
  const drawn = comment(
    " * stateDiagram-v2",
    " *   [*] --> Waiting",
    " *   Waiting --> Running: Started",
    " *   Running --> Waiting: Stopped",
    " *   Running --> End: Done"
  )

  it("is drawn from the edges", () => {
    assert.strictEqual(withDiagram(comment(), edges), drawn)
    assert.strictEqual(withDiagram(comment(" * stateDiagram-v2", " *   old"), edges), drawn)
  })

  it("stays as it is when it is right", () => {
    assert.strictEqual(withDiagram(drawn, edges), drawn)
  })

  it("needs a fence in the module comment", () => {
    assert.isUndefined(withDiagram("/** A machine. */\n", edges))
    assert.isUndefined(withDiagram("import a\n", edges))
  })
})

describe("readme", () => {
  const document = (program: string): string =>
    `# A\n\n<!-- example: a/main.ts -->\n\n\`\`\`ts\n${program}\`\`\`\n\nB\n`

  it("shows the program as its file is", () => {
    const current = withExamples(document("old $1\n"), () => "new $1\n")
    assert.strictEqual(current, document("new $1\n"))
    assert.deepStrictEqual(examplesIn(current), ["a/main.ts"])
  })

  it("leaves a document without programs alone", () => {
    const plain = "# A\n\n```ts\nold\n```\n"
    assert.strictEqual(
      withExamples(plain, () => "new"),
      plain
    )
  })
})

describe("report", () => {
  const file = (status: string, ...tests: ReadonlyArray<string>) => ({
    status,
    assertionResults: tests.map((each) => ({ status: each }))
  })

  it("counts tests", () => {
    const report = { testResults: [file("passed", "passed", "skipped"), file("passed", "passed")] }
    assert.strictEqual(lineOf([{ report, status: 0 }]), "2 passed, 0 failed")
  })

  it("counts a file that could not be loaded as one failure", () => {
    const report = { testResults: [file("failed"), file("failed", "failed", "failed", "passed")] }
    assert.strictEqual(lineOf([{ report, status: 1 }]), "1 passed, 3 failed")
  })

  it("never reports success for a run that ended badly", () => {
    const report = { testResults: [file("passed", "passed")] }
    assert.strictEqual(lineOf([{ report: undefined, status: 1 }]), "0 passed, 1 failed")
    assert.strictEqual(lineOf([{ report, status: 1 }]), "1 passed, 1 failed")
  })

  it("counts all runs together", () => {
    const report = { testResults: [file("failed", "passed", "failed")] }
    const runs = [
      { report, status: 1 },
      { report: undefined, status: 2 }
    ]
    assert.strictEqual(lineOf(runs), "1 passed, 2 failed")
  })

  it("names what failed, with the beginning of what was said", () => {
    const long = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n")
    const failed = { status: "failed", fullName: "a store keeps it", failureMessages: [long] }
    const report = {
      testResults: [
        { status: "failed", name: "A.test.ts", assertionResults: [failed] },
        { status: "failed", name: "B.test.ts", message: "no such module", assertionResults: [] },
        file("passed", "passed")
      ]
    }
    const [first = "", second, ...rest] = failuresIn([{ report, status: 1 }])
    assert.match(first, /^FAILED A.test.ts > a store keeps it\nline 0\n/)
    assert.isBelow(first.length, 200)
    assert.strictEqual(second, "FAILED B.test.ts\nno such module")
    assert.deepStrictEqual(rest, [])
  })
})
