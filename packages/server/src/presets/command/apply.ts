/**
 * `verbatim presets apply`: makes a workspace agree with files, or with a plan that was kept.
 */
import { existsSync } from "node:fs"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ApiRefusal } from "../../command/ApiCalls.ts"
import { withApi } from "../../command/ApiFlags.ts"
import { printable } from "../../command/operation.ts"
import { Misuse, Refusal } from "../../command/Refusal.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { findPreset, findWorkspaceId } from "../PresetCalls.ts"
import { applyOne } from "../plan/Applying.ts"
import { type KeptPlan, type KeptPreset, readPlan } from "../plan/PlanFile.ts"
import { type PlannedPreset, planOne, toArchived } from "../plan/Planned.ts"
import { toSeen, writeSeen } from "../plan/SeenPresets.ts"
import { driftOf, isQuiet, presetLines } from "../plan/Telling.ts"
import { Drifted } from "./Differing.ts"
import { planFlags, planFolder } from "./planning.ts"

/** What became of one preset. */
type Outcome = "applied" | "drifted" | "failed" | "same"

interface ApplyWish {
  readonly label: string | null
  readonly comment: string | null
  readonly force: boolean
}

const stopped = (planned: PlannedPreset, { force, label }: ApplyWish) => {
  const { drifted, plan, slug } = planned
  if (drifted.length > 0 && !force) {
    const line = `! ${slug}  ${driftOf(planned, label)}: not applied`
    return { outcome: "drifted", line } as const
  }
  if (plan.obstacle !== null) {
    return { outcome: "failed", line: `! ${slug}  is archived: not applied` } as const
  }
  return isQuiet(planned) ? ({ outcome: "same", line: undefined } as const) : undefined
}

const applyPlanned = Effect.fnUntraced(function* (planned: PlannedPreset, wish: ApplyWish) {
  const why = stopped(planned, wish)
  if (why !== undefined) {
    if (why.line !== undefined) yield* Console.log(why.line)
    return why.outcome
  }
  return yield* applyOne(planned, wish).pipe(
    Effect.andThen(
      Console.log(presetLines({ ...planned, drifted: [] }, wish.label)[0] ?? planned.slug)
    ),
    Effect.as<Outcome>("applied"),
    Effect.catchIf(
      (error) => error instanceof ApiRefusal,
      Effect.fnUntraced(function* ({ reason, sentence }) {
        const outcome: Outcome = reason === "Changed" ? "drifted" : "failed"
        yield* Console.log(`! ${planned.slug}  ${printable(sentence)}: not applied`)
        return outcome
      })
    )
  )
})

/** What a preset was like when nothing was known of it. */
const replan = Effect.fnUntraced(function* (kept: KeptPreset, label: string | null) {
  const { expected, file, slug, wanted } = kept
  if (wanted !== null) return Option.some(yield* planOne({ expected, file, label, wanted }))
  const found = yield* findPreset(slug)
  if (Option.isNone(found)) return Option.none()
  const archived = toArchived(found.value, slug as PlannedPreset["wanted"]["slug"])
  return Option.some(yield* planOne({ expected, file, label, wanted: archived }))
})

const mustBeOurs = Effect.fnUntraced(function* ({ workspaceId }: KeptPlan) {
  const here = yield* findWorkspaceId
  if (workspaceId === null || here === null || workspaceId === here) return
  return yield* new Refusal({ sentence: `The plan is for the workspace ${workspaceId}.` })
})

const replanAll = Effect.fnUntraced(function* (file: string) {
  const kept = yield* readPlan(file)
  yield* mustBeOurs(kept)
  const presets = yield* Effect.forEach(kept.presets, (each) => replan(each, kept.label))
  return { label: kept.label, presets: presets.flatMap(Option.toArray) }
})

/** Remembers presets that are now as their files say. */
const remember = Effect.fnUntraced(function* (
  dir: string,
  {
    label,
    presets
  }: { readonly label: string | null; readonly presets: ReadonlyArray<PlannedPreset> }
) {
  const workspaceId = yield* findWorkspaceId
  if (workspaceId === null || !existsSync(dir)) return
  const seen = presets.map(({ slug, wanted: { content, description, name, status } }) => {
    const traits = label === null ? { name, description, status } : {}
    return [slug, toSeen(content, traits)] as const
  })
  yield* writeSeen(dir, { workspaceId, label, seen: new Map(seen) }).pipe(
    Effect.catch(({ message }) => Console.error(`What was applied is not remembered: ${message}`))
  )
})

const count = (outcomes: ReadonlyArray<Outcome>, wanted: Outcome): number =>
  outcomes.filter((outcome) => outcome === wanted).length

const conclude = Effect.fnUntraced(function* (outcomes: ReadonlyArray<Outcome>) {
  const [applied, same] = [count(outcomes, "applied"), count(outcomes, "same")]
  const [drifted, failed] = [count(outcomes, "drifted"), count(outcomes, "failed")]
  yield* Console.log(`${applied} applied, ${same} as they should be.`)
  if (failed > 0) return yield* new Refusal({ sentence: `${failed} could not be applied.` })
  if (drifted === 0) return
  const sentence = `${drifted} changed elsewhere: look at \`plan\`, then export, or --force.`
  return yield* new Drifted({ sentence })
})

/** Applies files, or a plan. */
export const apply = Command.make(
  "apply",
  {
    plan: Argument.String("plan").pipe(
      Argument.withDescription("File that `plan --out` has written; the files if left out"),
      Argument.optional
    ),
    ...planFlags,
    comment: Flag.String("comment").pipe(
      Flag.withDescription("Said about the versions that are made, as the name of a commit"),
      Flag.optional,
      Flag.map(Option.getOrNull)
    ),
    force: makeSwitch("force", "Apply also what was changed elsewhere")
  },
  Effect.fn(function* ({ base, comment, dir, force, label, plan, prune, url, workspace }) {
    if (Option.isSome(plan) && (Option.isSome(base) || label !== null || prune)) {
      const sentence = "A plan says that already: leave out --base, --label and --prune."
      return yield* new Misuse({ sentence })
    }
    const command = Effect.gen(function* () {
      const planned = Option.isSome(plan)
        ? yield* replanAll(plan.value)
        : yield* planFolder({ base, dir, label, prune })
      const wish = { comment, force, label: planned.label }
      const outcomes = yield* Effect.forEach(planned.presets, (each) => applyPlanned(each, wish))
      const agreed = planned.presets.filter((_, index) => {
        const outcome = outcomes[index]
        return outcome === "applied" || outcome === "same"
      })
      yield* remember(dir, { label: planned.label, presets: agreed })
      yield* conclude(outcomes)
    })
    yield* withApi({ url, workspace }, command)
  })
).pipe(
  Command.withDescription(
    "Make a workspace agree with files: status 0 if it does, 2 if others changed it, 1 for errors"
  )
)
