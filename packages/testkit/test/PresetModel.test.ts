/** Tests histories of a preset: some that the model explains, and some with one wrong answer. */
import { assert, describe, it } from "@effect/vitest"
import { linearize, type Outcome } from "#src/model/Linear"
import {
  answerTo,
  type Command,
  endingWith,
  format,
  holderId,
  type PresetOperation,
  presetModel
} from "#src/model/PresetModel"
import { userId } from "#src/samples/Ids"

const model = presetModel("support")

/** A command with its start, end and outcome. By default, the outcome is correct. */
interface Asked {
  readonly command: Command
  readonly when?: readonly [invoked: number, returned: number]
  readonly outcome?: Outcome<string> | ((right: string) => string)
  readonly isHolder?: boolean
}

const lost = { is: "unknown", cause: "lost" } as const
const refused = (reason: string) => ({ is: "refused", reason }) as const

/** Creates operations in order. By default, each has the model's own answer. */
const play = (...all: ReadonlyArray<Asked>): ReadonlyArray<PresetOperation> => {
  let state = model.initial
  return all.map(({ command, isHolder = false, outcome, when }, index) => {
    const [invoked, returned] = when ?? [index * 10, index * 10 + 5]
    const asked = { command, by: isHolder ? holderId : userId(1), invoked, returned }
    if (typeof outcome === "object") {
      if (outcome.is === "unknown") state = model.step(state, { ...asked, outcome }) ?? state
      return { ...asked, outcome, ...(outcome.is === "unknown" && { returned: Infinity }) }
    }
    const right = answerTo(state, { ...asked, outcome: lost })
    state = model.step(state, { ...asked, outcome: lost }) ?? state
    return { ...asked, outcome: { is: "answered", answer: outcome?.(right) ?? right } }
  })
}

/** Returns the verdict, and checks that a search with a known final list has the same one. */
const verdictOn = (...all: ReadonlyArray<Asked>) => {
  const operations = play(...all)
  const verdict = linearize(model, operations)._tag
  const last = operations.at(-1)
  const isRemoved = operations.some(({ command }) => command._tag === "Remove")
  if (last?.command._tag === "List" && last.outcome.is === "answered" && !isRemoved) {
    const narrowed = endingWith(model, last.outcome.answer)
    assert.strictEqual(linearize(narrowed, operations)._tag, verdict)
  }
  return verdict
}

const create = (text = "a", more: Partial<Extract<Command, { _tag: "Create" }>> = {}): Asked => ({
  command: { _tag: "Create", text, stage: false, ...more }
})
const designate = (version: number): Asked => ({ command: { _tag: "Designate", version } })
const move = (version: number): Asked => ({
  command: { _tag: "MoveLabel", label: "production", version }
})
const take: Asked = { command: { _tag: "RemoveLabel", label: "production" } }
const erase = (version: number): Asked => ({ command: { _tag: "Erase", version } })
const protect: Asked = { command: { _tag: "Protect", label: "production" } }
const unprotect: Asked = { command: { _tag: "Unprotect", label: "production" } }
const revise = (status: "active" | "archived"): Asked => ({
  command: { _tag: "Revise", change: { status } }
})
const remove: Asked = { command: { _tag: "Remove" } }
const look: Asked = { command: { _tag: "Look" } }
const list: Asked = { command: { _tag: "List" } }

const from = (asked: Asked, outcome: Asked["outcome"]): Asked => ({
  ...asked,
  outcome: outcome ?? lost
})
const during = (asked: Asked, ...when: readonly [number, number]): Asked => ({ ...asked, when })

const sound: Readonly<Record<string, ReadonlyArray<Asked>>> = {
  "operations in sequence": [create(), create("b"), designate(1), move(2), take, erase(2), list],
  "a version that was staged": [create(), create("b", { stage: true }), look, list],
  "writes with lost responses that took effect in the opposite order of their calls": [
    create(),
    from(during(create("c"), 11, 12), lost),
    from(during(create("b"), 10, 12), lost),
    list
  ],
  "a retry with a key": [create("a", { key: "k" }), create("b"), create("a", { key: "k" }), list],
  "a different request with a used key": [
    create("a", { key: "k" }),
    from(create("b", { key: "k" }), refused("OtherRequest"))
  ],
  "justified refusals": [
    from(look, refused("PresetNotFound")),
    create(),
    from(designate(2), refused("VersionNotFound")),
    from(erase(1), refused("VersionInUse")),
    from(remove, refused("PresetNotArchived")),
    revise("archived"),
    from(create("b"), refused("PresetInactive"))
  ],
  "a protection that is removed": [create(), protect, unprotect, move(1), list],
  "a protected label moved by a caller with its scope": [
    create(),
    protect,
    { ...move(1), isHolder: true },
    from(take, refused("LabelProtected"))
  ],
  "a move while its label is protected": [
    create(),
    during(move(1), 20, 30),
    during(protect, 10, 40)
  ],
  "a preset that is removed and created again": [
    create(),
    revise("archived"),
    remove,
    create("b"),
    list
  ]
}

const broken: Readonly<Record<string, ReadonlyArray<Asked>>> = {
  "a number is skipped": [create(), from(create("b"), () => "version 3")],
  "a version is acknowledged and lost": [
    create(),
    from(create("b"), () => "version 2"),
    {
      ...list,
      outcome: () => format.kept({ preset: null, versions: [], designations: [], moves: [] })
    }
  ],
  "an old state is shown": [
    create(),
    create("b"),
    during({ ...look, outcome: (right) => right.replace('"revision":2', '"revision":1') }, 30, 40)
  ],
  "a designation is missing from the history": [
    create(),
    create("b"),
    designate(1),
    { ...list, outcome: (right) => right.replace(",[3,2,1]", "") }
  ],
  "a label move is missing from the history": [
    create(),
    move(1),
    { ...list, outcome: (right) => right.replace('[[2,"production",null,1,false]]', "[]") }
  ],
  "erased content is still shown": [
    create(),
    create("b"),
    erase(1),
    { ...list, outcome: (right) => right.replace("[1,null,{},true]", '[1,"a",{},true]') }
  ],
  "a version with a label is erased": [create(), create("b"), move(1), erase(1)],
  "a protected label is moved": [create(), protect, move(1)],
  "a move of an unprotected label is refused": [
    create(),
    protect,
    unprotect,
    from(move(1), refused("LabelProtected"))
  ],
  "a preset is archived although it has a protected label": [
    create(),
    move(1),
    protect,
    revise("archived")
  ],
  "a removed label resolves": [
    create(),
    move(1),
    take,
    { command: { _tag: "Resolve", label: "production" }, outcome: () => "version 1" }
  ],
  "a removed preset is shown": [
    create(),
    revise("archived"),
    remove,
    { ...look, outcome: () => format.preset(null, null) }
  ],
  "an active preset is removed": [create(), remove],
  "a different request with a used key creates a version": [
    create("a", { key: "k" }),
    create("b", { key: "k" })
  ],
  "a refusal is unjustified": [create(), from(create("b"), refused("PresetInactive"))]
}

describe("The preset model", () => {
  for (const [what, asked] of Object.entries(sound)) {
    it(`explains ${what}`, () => assert.strictEqual(verdictOn(...asked), "Linear"))
  }

  for (const [what, asked] of Object.entries(broken)) {
    it(`has no order in which ${what}`, () => assert.strictEqual(verdictOn(...asked), "NotLinear"))
  }
})
