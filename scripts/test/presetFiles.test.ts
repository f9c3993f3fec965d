/**
 * Tests the workflow that the page on preset files offers to teams, and the promises that the page
 * makes.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { findErrors } from "./WorkflowErrors.ts"

const path = "deploy/github/presets.yml"
const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

interface Job {
  readonly steps: ReadonlyArray<{
    readonly run?: string
    readonly env?: Readonly<Record<string, string>>
  }>
}

interface Workflow {
  readonly permissions: unknown
  readonly concurrency: unknown
  readonly jobs: Readonly<Record<"apply" | "plan", Job>>
}

const workflow: Workflow = parse(text)

const lastOf = ({ steps }: Job) => steps.at(-1) ?? assert.fail("no step")

describe("the workflow for presets in a Git repository", () => {
  it("is valid according to GitHub's schema, which rejects invalid workflows", async () => {
    assert.deepStrictEqual(await findErrors(path, text), [])
    assert.isNotEmpty(await findErrors(path, text.replace("runs-on:", "runs-upon:")))
  })

  it("plans with a read key, applies with a write key, and never cancels an apply", () => {
    const [plan, apply] = [lastOf(workflow.jobs.plan), lastOf(workflow.jobs.apply)]
    assert.match(plan.run ?? "", /presets plan --base \S+ \|\| \[ \$\? -eq 2 \]$/)
    assert.match(apply.run ?? "", /presets apply --yes --base \S+ --comment "\$GITHUB_SHA"$/)
    assert.include(plan.env?.VERBATIM_KEY, "VERBATIM_READ_KEY")
    assert.include(apply.env?.VERBATIM_KEY, "VERBATIM_WRITE_KEY")
    assert.deepStrictEqual(workflow.permissions, { contents: "read" })
    assert.propertyVal(workflow.concurrency, "cancel-in-progress", false)
  })

  it("uses no untrusted text in a command", () => {
    const runs = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.map(({ run = "" }) => run)
    )
    const taken = runs.flatMap((run) => run.match(/\$\{\{[^}]*\}\}/g) ?? [])
    for (const each of taken) assert.match(each, /\.(?:sha|before) \}\}$/)
  })
})
