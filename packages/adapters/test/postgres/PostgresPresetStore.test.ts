import * as PresetStoreContract from "@verbatim/testkit/contracts/PresetStoreContract"
import { advance, onEmptied } from "./TemporarySchema.ts"

PresetStoreContract.suite("Postgres", onEmptied, { advance })
