/**
 * A host program for tests, which writes an article with its job in a transaction, and waits to be
 * killed.
 */
import { DatabaseSync } from "node:sqlite"
import { open } from "@verbatim/embed"

const [, , file = "", media = "", path = "", end = ""] = process.argv

const verbatim = await open({ database: `sqlite:${file}`, media, roles: ["http"] })
// Create the workspace first, because the kill undoes the transaction.
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
