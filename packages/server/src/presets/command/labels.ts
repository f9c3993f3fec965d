/**
 * `verbatim presets labels list|protect|unprotect`: which labels only some keys move, in all
 * presets of a workspace.
 */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { quoted } from "../../command/operation.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { type LabelMover, PresetDoor, type Protection } from "../door/PresetDoor.ts"
import { doorFlags, withDoor } from "./DoorFlags.ts"
import { labelArgument } from "./ReferenceArgument.ts"

const tellMover = ({ hint, id, name }: LabelMover): string =>
  ["  moved by", id, hint, ...(name === null ? [] : [quoted(name)])].join("  ")

const tellMovers = ({ label, movers }: Protection): ReadonlyArray<string> => {
  if (movers === null) return ["  its keys are for those who manage keys"]
  return movers.length === 0
    ? [`  no key has the scope labels:${label}`]
    : movers.map((mover) => tellMover(mover))
}

const tell = (protection: Protection): string => {
  const { by, label, since } = protection
  const head = [label.padEnd(24), since, by === null ? "by an operator" : `by ${by}`].join("  ")
  return [head, ...tellMovers(protection)].join("\n")
}

const list = Command.make(
  "list",
  { json: makeSwitch("json", "JSON for programs, one object in a line"), ...doorFlags },
  Effect.fn(function* ({ json, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      for (const each of yield* door.protections) {
        const { by, label, movers, since } = each
        const view = { label, protected_by: by, protected_at: since, keys: movers }
        yield* Console.log(json ? JSON.stringify(view) : tell(each))
      }
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("List protected labels, with the keys that move them"))

const protect = Command.make(
  "protect",
  { label: labelArgument, ...doorFlags },
  Effect.fn(function* ({ label, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      yield* door.protect(label)
      yield* Console.log(`${label} is protected: only keys with the scope labels:${label} move it.`)
    })
    yield* withDoor(wish, command)
  })
).pipe(
  Command.withDescription(
    "From now on only keys with the scope of a label move it, in all presets of the workspace"
  )
)

const unprotect = Command.make(
  "unprotect",
  { label: labelArgument, ...doorFlags },
  Effect.fn(function* ({ label, ...wish }) {
    const command = Effect.gen(function* () {
      const door = yield* PresetDoor
      yield* door.unprotect(label)
      yield* Console.log(`${label} is not protected: keys that designate versions move it.`)
    })
    yield* withDoor(wish, command)
  })
).pipe(Command.withDescription("Lift the protection of a label"))

/** The command group. */
export const labels = Command.make("labels").pipe(
  Command.withDescription("Which labels are protected, and which keys move those"),
  Command.withSubcommands([list, protect, unprotect])
)
