import { suite } from "../sql/OlderVersion.ts"
import { onServer } from "./TemporarySchema.ts"

suite("Postgres stores", onServer)
