/** A copy in a process of its own, which says a line after each page, to be killed after one. */
import { StoreCopy } from "@verbatim/adapters/sql"
import { Effect, Logger } from "effect"
import { endAt } from "./Ends.ts"

const [from, to] = JSON.parse(process.argv[2] ?? "[]")

/** Written at once: a line that is read tells of a page that was written. */
const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const program = StoreCopy.copyStore({
  source: endAt(from).source({ isInUse: from.kind === "Postgres" }),
  target: endAt(to).target,
  report: ({ rows, table }) => say(`${table} ${rows}`)
})

// What is logged is no line of the copy.
const silent = Effect.provide(Logger.layer([]))

await Effect.runPromise(silent(Effect.andThen(program, say("complete"))))
