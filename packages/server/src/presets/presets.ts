/**
 * `verbatim presets`: shows presets, moves pointers to their versions, and stores presets in files.
 */
import { Command } from "effect/cli"
import { edit } from "./edit.ts"
import { apply, exportPresets, plan } from "./files.ts"
import { erase, history, remove, versions } from "./history.ts"
import { designate, label, labels } from "./point.ts"
import { diff, list, resolve, show } from "./show.ts"

export const presets = Command.make("presets").pipe(
  Command.withShortDescription("Show, edit and roll back presets, and keep them in files"),
  Command.withDescription(
    "Show, edit and roll back presets, and keep them in files. Set VERBATIM_URL and VERBATIM_KEY " +
      "to use a server; otherwise the local database is used"
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
