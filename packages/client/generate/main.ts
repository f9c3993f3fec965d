/** Generates the client's types and methods from the OpenAPI document. */
import { mkdirSync, writeFileSync } from "node:fs"
import { document } from "@verbatim/http/description"
import { writeOperations } from "./Operations.ts"
import { writeTypes } from "./Types.ts"

const folder = new URL("../src/generated/", import.meta.url)
const described = document()

mkdirSync(folder, { recursive: true })
writeFileSync(new URL("Description.ts", folder), await writeTypes(described))
writeFileSync(new URL("Operations.ts", folder), writeOperations(described))
