import * as PresetStoreContract from "@verbatim/testkit/contracts/PresetStoreContract"
import { advance, onServer } from "./TemporarySchema.ts"

PresetStoreContract.suite("Postgres", onServer, { advance })
