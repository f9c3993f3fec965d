/** `verbatim presets export|plan|apply`: stores presets in files, one per preset. */
import { Console, Effect, Runtime, Schema } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import type { Api } from "../command/ApiCalls.ts"
import { apiFlags, withApi } from "../command/ApiFlags.ts"
import { makeSwitch, textFlag } from "../command/flags.ts"
import { jsonFlag as json, print, printable } from "../command/operation.ts"
import { misuse, misuseStatus, Refusal, refuse } from "../command/Refusal.ts"
import {
  type ApplyOptions,
  applyPlan,
  concurrency,
  type FolderPlan,
  type PlannedPreset,
  planAll
} from "./folderPlan.ts"
import { isQuiet, planLines, presetJson, strayJson } from "./PlanText.ts"
import { listPresets, mustFind, toDesignatedFile } from "./PresetCalls.ts"
import { makeFolder, placeIn, readFolder, writeFiled } from "./PresetFolder.ts"
import { writePreset } from "./PresetWriter.ts"
import { labelFlag } from "./ReferenceArgument.ts"

/**
 * The error when the printed plan contains changes, with an exit status that scripts can tell from
 * that of a failure.
 *
 * @public The command's type refers to it.
 */
export class HasChanges extends Schema.TaggedError<HasChanges>()("HasChanges", {}) {
  override readonly [Runtime.errorExitCode] = misuseStatus
  override readonly [Runtime.errorReported] = false
}

/**
 * Fails because of presets or pointers that another caller has changed. The command does not touch
 * them.
 */
export const refuseChanged = (sentence: string) =>
  Effect.fail(new Refusal({ sentence, status: misuseStatus }))

const folderFlag = Flag.String("dir").pipe(
  Flag.withDescription("Folder with one file per preset"),
  Flag.withDefault("presets")
)

const readAll = Effect.fnUntraced(function* (slugs: ReadonlyArray<string>) {
  const wanted = slugs.length > 0 ? slugs : (yield* listPresets({})).map(({ slug }) => slug)
  const read = (slug: string) => Effect.flatMap(mustFind(slug), toDesignatedFile)
  return yield* Effect.forEach(new Set(wanted), read, { concurrency })
})

export const exportPresets = Command.make(
  "export",
  {
    slugs: Argument.String("slug").pipe(
      Argument.withDescription("Presets to export (default: all)"),
      Argument.variadic()
    ),
    dir: folderFlag,
    format: Flag.Literals("format", ["yaml", "json"]).pipe(
      Flag.withDescription("Format of new files"),
      Flag.withDefault("yaml" as const)
    ),
    stdout: makeSwitch("stdout", "Print one preset instead of writing files"),
    json,
    ...apiFlags
  },
  Effect.fn(function* ({ dir, format, json, slugs, stdout, ...options }) {
    const command = Effect.gen(function* () {
      const presets = yield* readAll(slugs)
      if (stdout) {
        const [only, ...others] = presets
        if (only === undefined || others.length > 0) {
          return yield* refuse("Name one preset to print.")
        }
        const text = writePreset(only, json ? "json" : format)
        return yield* Console.log(text.replace(/\n$/, ""))
      }
      yield* makeFolder(dir)
      const there = yield* readFolder(dir)
      for (const preset of presets) {
        const { slug } = preset
        const file = yield* placeIn(dir, { slug, format, there })
        const isWritten = yield* writeFiled({ file, preset })
        yield* print(json, { slug, file, is_written: isWritten }, () =>
          [isWritten ? "wrote" : "same ", printable(file)].join(" ")
        )
      }
    })
    yield* withApi(options, command)
  })
).pipe(Command.withDescription("Write each preset to a file"))

/** Flags for `plan` and `apply`. */
const planFlags = {
  dir: folderFlag,
  base: textFlag(
    "base",
    "Folder with the last applied files; used to detect changes made elsewhere"
  ),
  label: labelFlag,
  prune: makeSwitch("prune", "Archive presets that have no file"),
  ...apiFlags
}

interface PlanOptions {
  readonly dir: string
  readonly base: string | undefined
  readonly label: string | null
  readonly prune: boolean
}

const planFolder = Effect.fnUntraced(function* ({ base, dir, label, prune }: PlanOptions) {
  if (prune && label !== null) {
    return yield* misuse("Labels are not pruned. Leave out --prune.")
  }
  const filed = yield* readFolder(dir)
  if (prune && filed.size === 0) {
    return yield* misuse(`There are no files in ${dir}, so --prune would archive every preset.`)
  }
  const older = base === undefined ? undefined : yield* readFolder(base)
  return yield* planAll({ filed, base: older, label, prune })
})

const printLine = (answer: object) => Console.log(JSON.stringify(answer))

export const plan = Command.make(
  "plan",
  { ...planFlags, json },
  Effect.fn(function* ({ base, dir, json, label, prune, ...options }) {
    const command = Effect.gen(function* () {
      const planned = yield* planFolder({ base, dir, label, prune })
      const { presets, strays } = planned
      if (json) {
        for (const each of presets) yield* printLine(presetJson(each, label))
        for (const slug of strays) yield* printLine(strayJson(slug))
      } else yield* Console.log(planLines(planned).join("\n"))
      const isAgreed = presets.every((each) => isQuiet(each) && each.drifted.length === 0)
      if (!isAgreed) return yield* new HasChanges()
    })
    yield* withApi(options, command)
  })
).pipe(
  Command.withDescription(
    "Show what applying the files would change (status 0: nothing, 2: changes, 1: error)"
  )
)

/** The result of applying one preset file, with the reason if it was not applied. */
interface Ending {
  readonly outcome: "applied" | "changed_elsewhere" | "failed" | "same"
  readonly reason: string | null
}

const applyPlanned = (
  planned: PlannedPreset,
  options: ApplyOptions
): Effect.Effect<Ending, never, Api> => {
  const { drifted, plan } = planned
  if (drifted.length > 0) {
    return Effect.succeed({ outcome: "changed_elsewhere", reason: drifted.join(", ") })
  }
  if (plan.obstacle !== null) return Effect.succeed({ outcome: "failed", reason: "is archived" })
  if (isQuiet(planned)) return Effect.succeed({ outcome: "same", reason: null })
  return Effect.match(applyPlan(planned, options), {
    onFailure: ({ reason, sentence }): Ending => ({
      outcome: reason === "Changed" ? "changed_elsewhere" : "failed",
      reason: sentence
    }),
    onSuccess: () => ({ outcome: "applied", reason: null })
  })
}

const conclude = Effect.fnUntraced(function* (endings: ReadonlyArray<Ending>) {
  const count = (wanted: Ending["outcome"]) =>
    endings.filter(({ outcome }) => outcome === wanted).length
  const [drifted, failed] = [count("changed_elsewhere"), count("failed")]
  const done = `${count("applied")} applied, ${count("same")} unchanged.`
  if (failed > 0) return yield* refuse(`${done} ${failed} could not be applied.`)
  if (drifted === 0) return done
  return yield* refuseChanged(
    `${done} ${drifted} changed elsewhere. Run \`plan\`, then export or apply.`
  )
})

/**
 * Waits for the user to confirm a plan. This is skipped if the user has already confirmed it or
 * nothing would change.
 */
const confirm = Effect.fnUntraced(function* ({ presets }: FolderPlan, isAsking: boolean) {
  if (presets.every(isQuiet)) return
  const isAgreed =
    isAsking &&
    (yield* Effect.orElseSucceed(Prompt.Confirm({ message: "Apply these changes?" }), () => false))
  if (isAsking && !isAgreed) return yield* refuse("Nothing was applied.")
})

export const apply = Command.make(
  "apply",
  {
    ...planFlags,
    comment: textFlag("comment", "Comment on the new versions, such as a commit id"),
    yes: makeSwitch("yes", "Apply without asking for confirmation"),
    json
  },
  Effect.fn(function* ({ base, comment, dir, json, label, prune, url, workspace, yes }) {
    if (!yes && (json || !process.stdin.isTTY)) {
      return yield* misuse("Cannot ask for confirmation here. Pass --yes.")
    }
    const command = Effect.gen(function* () {
      const planned = yield* planFolder({ base, dir, label, prune })
      if (!json) yield* Console.log(planLines(planned).join("\n"))
      yield* confirm(planned, !yes)
      const endings = yield* Effect.forEach(
        planned.presets,
        Effect.fnUntraced(function* (each) {
          const ending = yield* applyPlanned(each, { comment, label })
          if (json) yield* printLine({ ...presetJson(each, label), ...ending })
          else if (ending.reason !== null) {
            yield* Console.log(`! ${each.slug}  ${printable(ending.reason)}: not applied`)
          }
          return ending
        })
      )
      const done = yield* conclude(endings)
      if (!json) yield* Console.log(done)
    })
    yield* withApi({ url, workspace }, command)
  })
).pipe(
  Command.withDescription(
    "Apply files to a workspace (status 0: done, 2: changed elsewhere, 1: error)"
  )
)
