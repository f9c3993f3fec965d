/**
 * `verbatim presets`: looks at presets, moves what points to their versions, and keeps them in
 * files.
 */
import { Command } from "effect/cli"
import { edit } from "./edit.ts"
import { apply, exportPresets, plan } from "./files.ts"
import { erase, history, remove, versions } from "./history.ts"
import { labels } from "./labels.ts"
import { designate, label } from "./point.ts"
import { diff, list, resolve, show } from "./show.ts"

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
