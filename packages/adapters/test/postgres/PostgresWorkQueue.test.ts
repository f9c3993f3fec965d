import * as WorkQueueContract from "@verbatim/testkit/contracts/WorkQueueContract"
import { advance, onServer } from "./TemporarySchema.ts"

WorkQueueContract.suite("Postgres", onServer, { advance })
