/**
 * `verbatim doctor`: checks everything that a server needs, and reports each problem and its
 * solution. The command creates no store or folder, and shows no secrets.
 */
import { Config, Console, Effect } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import { type Finding, failed, warning } from "../doctor/Finding.ts"
import { findMisspelt, findMistakes } from "../SettingMistakes.ts"
import { makeSwitch } from "./flags.ts"
import { printable } from "./operation.ts"
import { refuse } from "./Refusal.ts"
import { hang } from "./terminal/helpLayout.ts"

/**
 * Loads the checks only when they are used, so that other commands start a tenth of a second
 * earlier.
 */
const runDoctor = Effect.gen(function* () {
  const settings = yield* configuration
  const { runChecks } = yield* Effect.promise(() => import("../doctor/Doctor.ts"))
  return yield* runChecks(settings)
}).pipe(
  Effect.catchIf(
    (error) => error instanceof Config.ConfigError,
    () =>
      Effect.map(Effect.all([findMistakes, findMisspelt]), ([mistakes, misspelt]) => [
        ...mistakes.map((sentence) => failed("settings", sentence)),
        ...misspelt.map((sentence) => warning("settings", sentence))
      ])
  )
)

const printFindings = (findings: ReadonlyArray<Finding>) => {
  const width = Math.max(...findings.map(({ what }) => what.length))
  return Effect.forEach(
    findings,
    ({ verdict, what, why }) =>
      Console.log(
        `${verdict.padEnd(7)}  ${what.padEnd(width)}  ` +
          hang(printable(why), width + 11, process.stdout.columns || Number.POSITIVE_INFINITY)
      ),
    { discard: true }
  )
}

export const doctor = Command.make(
  "doctor",
  { json: makeSwitch("json", "Print one JSON object") },
  Effect.fn(function* ({ json }) {
    const findings = yield* runDoctor
    const bad = findings.filter(({ verdict }) => verdict === "failed").length
    yield* json ? Console.log(JSON.stringify({ ok: bad === 0, findings })) : printFindings(findings)
    if (bad > 0) return yield* refuse(`${bad} of ${findings.length} checks failed.`)
  })
).pipe(Command.withDescription("Check everything that the server needs, and report problems"))
