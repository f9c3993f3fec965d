import * as WorkQueueContract from "@verbatim/testkit/contracts/WorkQueueContract"
import { advance, onEmptied } from "./TemporarySchema.ts"

WorkQueueContract.suite("Postgres", onEmptied, { advance })
