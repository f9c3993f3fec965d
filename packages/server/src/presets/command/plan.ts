/**
 * `verbatim presets plan`: what would change, and nothing else. Status 0 when nothing would.
 */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withApi } from "../../command/ApiFlags.ts"
import { makeSwitch } from "../../command/SwitchFlag.ts"
import { writePlan } from "../plan/PlanFile.ts"
import { planJson } from "../plan/PlanJson.ts"
import { isQuiet, planLines } from "../plan/Telling.ts"
import { Differing } from "./Differing.ts"
import { planFlags, planFolder } from "./planning.ts"

/** Tells what would change. */
export const plan = Command.make(
  "plan",
  {
    ...planFlags,
    json: makeSwitch("json", "JSON for programs, an object for each preset, one in a line"),
    out: Flag.String("out").pipe(
      Flag.withDescription("File to keep the plan in, for `apply`"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ base, dir, json, label, out, prune, ...wish }) {
    const command = Effect.gen(function* () {
      const planned = yield* planFolder({ base, dir, label, prune })
      const lines = json ? planJson(planned) : planLines(planned)
      if (lines.length > 0) yield* Console.log(lines.join("\n"))
      if (Option.isSome(out)) yield* writePlan(out.value, planned)
      const isAgreed = planned.presets.every((each) => isQuiet(each) && each.drifted.length === 0)
      if (!isAgreed) return yield* new Differing()
    })
    yield* withApi(wish, command)
  })
).pipe(
  Command.withDescription(
    "Tell what applying the files would change: status 0 for nothing, 2 for something, 1 for errors"
  )
)
