import { layer } from "@verbatim/adapters/memory"
import { StoreContracts } from "@verbatim/testkit/contracts"

StoreContracts.suite("memory", layer)
