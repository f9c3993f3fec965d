import { layer } from "@verbatim/adapters/memory"
import * as PresetStoreContract from "@verbatim/testkit/contracts/PresetStoreContract"

PresetStoreContract.suite("memory", layer)
