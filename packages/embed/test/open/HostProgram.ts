/**
 * A host that is killed during a transaction: the host writes an article with its job, and waits.
 */
import { DatabaseSync } from "node:sqlite"
import { open } from "@verbatim/embed"

const [, , file = "", media = "", path = "", end = ""] = process.argv

const verbatim = await open({ database: `sqlite:${file}`, media, roles: ["http"] })
// Creates the workspace before the transaction, which is lost when the host is killed.
await verbatim.presets.list()
const host = new DatabaseSync(file)
host.exec("PRAGMA foreign_keys = ON; CREATE TABLE articles (job TEXT); BEGIN IMMEDIATE")
const { presets, transcriptions } = verbatim.within(host)
const { id } = await transcriptions.create({ path })
await presets.createFromResponses("notes", {})
host.prepare("INSERT INTO articles VALUES (?)").run(id)
if (end === "committed") host.exec("COMMIT")
console.log(id)
setInterval(() => undefined, 1_000)
