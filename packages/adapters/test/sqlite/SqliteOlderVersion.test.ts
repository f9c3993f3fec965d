import { suite } from "../sql/OlderVersion.ts"
import { withClient } from "./TemporaryDatabase.ts"

suite("SQLite stores", withClient(":memory:"))
