import { suite } from "../sql/NewerVersion.ts"
import { withClient } from "./TemporaryDatabase.ts"

suite("SQLite stores", withClient(":memory:"))
