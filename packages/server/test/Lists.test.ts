/** Tests how commands print lists: as tables, as JSON, and if the list is empty or ends early. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { assert, describe, it } from "vitest"
import { makeLocalCommand } from "#src/command/ApiFlags"

interface Item {
  readonly id: number
}

const printed = async (items: Stream.Stream<Item, unknown>, ...args: ReadonlyArray<string>) => {
  const [lines, errors]: [Array<string>, Array<string>] = [[], []]
  const command = makeLocalCommand("list", {
    description: "List items",
    flags: {},
    run: () => items,
    text: {
      row: ({ id }) => ({ id: `${id}`, note: "" }),
      details: ({ id }) => (id === 2 ? ["  a detail"] : [])
    },
    empty: "No items."
  })
  const keep = (kept: Array<string>) => (text: string) => kept.push(...text.split("\n"))
  const exit = await Command.runWith(command, { version: "" })(args).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, { ...console, log: keep(lines), error: keep(errors) }),
    Effect.runPromiseExit
  )
  return { lines, errors, exit: exit._tag }
}

const range = (count: number) => Stream.map(Stream.range(1, count), (id): Item => ({ id }))

describe("a list of a command", () => {
  it("has headings for each hundred rows, and details below a row", async () => {
    const { lines } = await printed(range(101))
    assert.deepStrictEqual(lines.slice(0, 4), ["ID", "1", "2", "  a detail"])
    assert.deepStrictEqual(lines.slice(-3), ["100", "ID", "101"])
  })

  it("is printed as one JSON object per line", async () => {
    const { lines } = await printed(range(2), "--json")
    assert.deepStrictEqual(lines, ['{"id":1}', '{"id":2}'])
  })

  it("says that it is empty, except in JSON", async () => {
    assert.deepStrictEqual((await printed(Stream.empty)).errors, ["No items."])
    const { errors, lines } = await printed(Stream.empty, "--json")
    assert.deepStrictEqual([errors, lines], [[], []])
  })

  it("shows all rows that were read before a failure", async () => {
    const broken = Stream.concat(range(2), Stream.fail("broken"))
    const { exit, lines } = await printed(broken)
    assert.strictEqual(exit, "Failure")
    assert.deepStrictEqual(lines, ["ID", "1", "2", "  a detail"])
  })
})
