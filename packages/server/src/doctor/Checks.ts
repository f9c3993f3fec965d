/** Everything that is looked at, in the order in which it is told. */
import type { Configuration } from "../Configuration.ts"
import type { Check } from "./Finding.ts"
import { decoderCheck, diskChecks, engineCheck } from "./MachineCheck.ts"
import { mediaCheck } from "./MediaCheck.ts"
import { outboundChecks } from "./OutboundCheck.ts"
import { settingsCheck } from "./SettingsCheck.ts"
import { storeCheck } from "./StoreCheck.ts"

/** The checks of a configuration. */
export const checksOf = (settings: Configuration): ReadonlyArray<Check> => [
  settingsCheck(settings),
  storeCheck(settings),
  mediaCheck(settings),
  ...diskChecks(settings),
  engineCheck(settings),
  ...(settings.roles.has("worker") ? [decoderCheck] : []),
  ...outboundChecks(settings)
]
