/**
 * `verbatim presets`: looks at presets, moves what points to their versions, and keeps them in
 * files.
 */
import { Command } from "effect/cli"
import { apply } from "./apply.ts"
import { edit } from "./edit.ts"
import { exportPresets } from "./export.ts"
import { erase, history, remove, versions } from "./keeping.ts"
import { labels } from "./labels.ts"
import { diff, list, resolve, show } from "./looking.ts"
import { designate, label } from "./moving.ts"
import { plan } from "./plan.ts"

/** The command group. */
export const presets = Command.make("presets").pipe(
  Command.withDescription(
    "Look at presets, roll them back, and keep them in files. VERBATIM_URL and VERBATIM_KEY name " +
      "a server and a key; without them, the database of this machine is meant"
  ),
  Command.withSubcommands([
    list,
    show,
    versions,
    history,
    diff,
    edit,
    designate,
    label,
    labels,
    exportPresets,
    plan,
    apply,
    resolve,
    erase,
    remove
  ])
)
