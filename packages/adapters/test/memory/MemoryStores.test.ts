import { layer } from "@verbatim/adapters/memory"
import { suite } from "@verbatim/testkit/contracts/StoreContracts"

suite("memory", layer)
