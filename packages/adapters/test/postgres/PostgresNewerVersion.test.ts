import { suite } from "../sql/NewerVersion.ts"
import { onServer } from "./TemporarySchema.ts"

suite("Postgres stores", onServer)
