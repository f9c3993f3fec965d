/** A process of the check on a SQLite file, with a connection of its own. */
import { layer } from "@verbatim/adapters/sqlite"
import { serve } from "@verbatim/testkit/concurrency"
import { Layer } from "effect"
import { sqliteTroubles } from "./SqliteTroubles.ts"

const { CHECK_FILE: filename = "" } = process.env

await serve(Layer.provideMerge(sqliteTroubles(filename), layer({ filename })))
