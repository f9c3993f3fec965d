/** Copies whose process is killed: nobody serves what they leave, and the next one is complete. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Migrations, StoreCopy } from "@verbatim/adapters/sql"
import { chooseCases, scaleRuns } from "@verbatim/testkit/laws"
import { Effect, Exit, type Scope } from "effect"
import * as fc from "fast-check"
import { at, dump, type End, migrate } from "./Ends.ts"
import { fill, rowsOf, seeds } from "./GeneratedStore.ts"
import { newPostgres, newSqlite } from "./NewEnds.ts"

const program = fileURLToPath(new URL("./CopyProgram.ts", import.meta.url))

const flags = ["--conditions=@verbatim/source", "--disable-warning=ExperimentalWarning"]

/** Starts a copy, kills it once it has said that many lines, and returns what it said. */
const killAfter = (lineCount: number, ends: ReadonlyArray<End>) =>
  Effect.promise(async () => {
    const places = JSON.stringify(ends.map(({ place }) => place))
    const child = spawn(process.execPath, [...flags, program, places], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const gone = once(child, "exit")
    const said: Array<string> = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (said.push(line) === lineCount) child.kill("SIGKILL")
    }
    await gone
    return said
  })

/** Every table has rows: the copy has a page for each of them at least. */
const isFull = ({ sizes }: { readonly sizes: ReadonlyArray<number> }) =>
  sizes.every((size) => size > 0)

type NewEnd = Effect.Effect<End, never, Scope.Scope>

const copy = (source: End, target: End) =>
  StoreCopy.copyStore({
    source: source.source({ isInUse: true }),
    target: target.target,
    report: () => Effect.void
  })

/** A store with rows in every table. */
const fullStore = Effect.fnUntraced(function* (newSource: NewEnd) {
  const [seed] = fc.sample(seeds.filter(isFull), 1)
  if (seed === undefined) return yield* Effect.die("there is no seed")
  const file = yield* newSqlite
  yield* migrate(file)
  yield* fill(rowsOf(seed, yield* file.columns.pipe(at(file)))).pipe(at(file))
  const source = yield* newSource
  yield* copy(file, source)
  return source
})

const survivesKills = Effect.fnUntraced(function* (newSource: NewEnd, newTarget: NewEnd) {
  const source = yield* fullStore(newSource)
  const wanted = yield* dump(source)
  const whole = yield* killAfter(Number.POSITIVE_INFINITY, [source, yield* newTarget])
  assert.strictEqual(whole.at(-1), "complete")
  const counts = fc.sample(fc.integer({ min: 1, max: whole.length }), scaleRuns(3))
  for (const count of [1, ...counts]) {
    const target = yield* newTarget
    const said = yield* killAfter(count, [source, target])
    const told = `killed after ${count} of ${whole.length} lines`
    const opened = yield* Effect.exit(Migrations.run.pipe(at(target)))
    // The kill may come when the last transaction is complete.
    const isComplete = Exit.isSuccess(opened)
    if (said.length < whole.length - 1) assert.isFalse(isComplete, told)
    if (!isComplete) yield* copy(source, target)
    assert.deepStrictEqual(yield* dump(target), wanted, told)
    yield* Migrations.run.pipe(at(target))
  }
})

describe("a copy that is killed, and done again", () => {
  const kinds = [
    ["SQLite", newSqlite],
    ["Postgres", newPostgres]
  ] as const
  const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const))
  for (const [[from, newSource], [to, newTarget]] of chooseCases(pairs, 2)) {
    it.live(`from ${from} to ${to} has everything`, () => survivesKills(newSource, newTarget))
  }
})
