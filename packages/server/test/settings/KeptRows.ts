/** Looks for what a process keeps: its database and its media. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { operateHere } from "../Here.ts"
import { operate } from "../ServerProcess.ts"
import { whileLocked } from "./Locked.ts"
import type { Look, Row } from "./Row.ts"
import { environmentOf, folderOf, type RunName, valueOf } from "./Runs.ts"
import { keysOf, type Stage, settle } from "./Stage.ts"
import { schemasWith } from "./TablePlaces.ts"

const isIn = (directory: string, id: string): boolean =>
  existsSync(directory) && readdirSync(directory).some((name) => name.includes(id))

/** Whether an uploaded file gets into a folder. */
const uploadedInto =
  (directoryOf: (stage: Stage, run: RunName) => string): Look =>
  async (stage, run) => {
    const { body } = await stage.upload(run)
    return isIn(directoryOf(stage, run), body.id)
  }

/** Whether another process knows a job of this one. */
const shared: Look = async (stage, run) => {
  const { body } = await stage.upload(run)
  return (await stage.ask("answering", `/v1/status/${body.id}`)).status
}

/** The table of Postgres in which a job is. */
const storedIn: Look = async (stage, run) => {
  const { body } = await stage.upload(run)
  return (await schemasWith(stage.neighbours.postgres.url, body.id)).join()
}

/** Sessions that wait for a table, when more requests need it than there are sessions. */
const sessions: Look = async (stage, run, wanted) => {
  await stage.server(run)
  return whileLocked(stage.neighbours.postgres.url, async (waiting) => {
    const { calling, managing } = keysOf(run)
    let isOver = false
    const again = async (key: string) => {
      while (!isOver) await stage.ask(run, "/v1/presets", {}, key)
    }
    // A key may have seven requests under way.
    const asking = [managing, calling].flatMap((key) => Array.from({ length: 7 }, () => again(key)))
    const most = await settle(waiting, wanted)
    isOver = true
    return { most, asking }
  }).then(async ({ asking, most }) => {
    await Promise.all(asking)
    return most
  })
}

/**
 * Whether a server gives up on a locked table before the one without the setting does, which waits
 * already when the other begins: where the setting does nothing, it is the first.
 */
const givesUpFirst: Look = async (stage, run) => {
  await Promise.all([stage.server("unusual"), stage.server("answering")])
  const ended: Array<readonly [RunName, number]> = []
  const ask = async (each: RunName) => {
    const { status } = await stage.ask(each, "/v1/presets")
    ended.push([each, status])
  }
  const asking = await whileLocked(stage.neighbours.postgres.url, async (waiting) => {
    const earlier = ask("unusual")
    await settle(waiting, 1)
    const all = [earlier, ask("answering")]
    await Promise.race(all)
    return all
  })
  await Promise.all(asking)
  return [ended[0]?.[0] === run, ended[0]?.[1]]
}

/** Starts a server on a database that says nothing, and tells how that ended. */
const startOnSilence = async ({ neighbours }: Stage, run: "hasty" | "patient") => {
  const settings = environmentOf(run, neighbours)
  const { status, stderr } = await operate(folderOf(run, neighbours), ["serve"], settings)
  const isTold = stderr.includes("The database cannot be reached")
  return { run, status, isTold, heldMillis: await neighbours.silences[run].heldMillis }
}

const startBothOnSilence = (stage: Stage) =>
  Promise.all([startOnSilence(stage, "hasty"), startOnSilence(stage, "patient")])

const starts = new WeakMap<Stage, ReturnType<typeof startBothOnSilence>>()

/** Whether a start waits for a silent database less than half as long as another one does. */
const givesUpSooner: Look = async (stage, run) => {
  const both = starts.get(stage) ?? startBothOnSilence(stage)
  starts.set(stage, both)
  const longest = Math.max(...(await both).map(({ heldMillis }) => heldMillis))
  const own = (await both).find((each) => each.run === run)
  return own && [own.heldMillis * 2 < longest, own.status, own.isTold]
}

const objectsOf = (stage: Stage, run: RunName) => {
  const { unusual, usual } = stage.neighbours.buckets
  return run === "usual" ? usual : unusual
}

const isInBucket: Look = async (stage, run) => {
  const { body } = await stage.upload(run)
  const names = [...objectsOf(stage, run).server.objects.keys()]
  return names.some((name) => name.startsWith("jobs/") && name.includes(body.id))
}

/** Where its uploads are, and who signed them for which region. */
const signed =
  (part: (signer: ReadonlyArray<string>, stage: Stage, run: RunName) => unknown): Look =>
  async (stage, run) => {
    const { status } = await stage.upload(run)
    const signers = [...objectsOf(stage, run).server.signers].map((signer) => signer.split("/"))
    return [status, ...new Set(signers.map((signer) => part(signer, stage, run)))]
  }

const isKept: Look = async (stage, run, wanted) => {
  const { accepted } = await stage.job(run)
  const { objects } = objectsOf(stage, run).server
  return settle(async () => [...objects.keys()].some((name) => name.includes(accepted.id)), wanted)
}

const retried: Look = async (stage, run) => {
  const { body } = await stage.upload(run)
  await stage.finished(run, body.id)
  return (await stage.ask(run, `/v1/transcriptions/${body.id}/retry`, { method: "POST" })).status
}

/** For how long a workspace keeps what, as a command with the settings of the server tells. */
const keeps =
  (label: string): Look =>
  async (stage, run) => {
    await stage.server(run)
    const folder = folderOf(run, stage.neighbours)
    const settings = environmentOf(run, stage.neighbours)
    const list = await operateHere(folder, ["workspaces", "list"], settings)
    const [id = ""] = list.stdout.split(" ")
    const { stdout } = await operateHere(folder, ["workspaces", "show", id], settings)
    return stdout
      .split("\n")
      .find((line) => line.startsWith(label))
      ?.slice(label.length)
      .trim()
  }

const inBuckets = { unusual: "unusual", usual: "usual" } as const

/** The rows of the data directory and of the second part. */
export const keptRows = {
  DATA_DIR: {
    look: uploadedInto((stage, run) => join(folderOf(run, stage.neighbours), "media")),
    unusual: "local",
    expected: true,
    usual: "keyless",
    otherwise: false
  },
  DATABASE_URL: { look: shared, ...inBuckets, expected: 200, otherwise: 404 },
  DATABASE_SCHEMA: {
    look: storedIn,
    unusual: "apart",
    expected: valueOf("DATABASE_SCHEMA"),
    usual: "unusual",
    otherwise: "public"
  },
  DATABASE_CONNECTIONS: {
    look: sessions,
    unusual: "answering",
    expected: 13,
    usual: "unusual",
    otherwise: 10
  },
  DATABASE_CONNECT_SECONDS: {
    look: givesUpSooner,
    unusual: "hasty",
    expected: [true, 1, true],
    usual: "patient",
    otherwise: [false, 1, true]
  },
  DATABASE_STATEMENT_SECONDS: {
    look: givesUpFirst,
    unusual: "answering",
    expected: [true, 500],
    usual: "unusual",
    otherwise: [false, 500]
  },
  MEDIA_URL: {
    look: isInBucket,
    unusual: "unusual",
    expected: true,
    usual: "local",
    otherwise: false
  },
  S3_ENDPOINT: {
    look: isInBucket,
    unusual: "unusual",
    expected: true,
    usual: { reason: "without it, Amazon is asked" }
  },
  S3_REGION: {
    look: signed(([, , region]) => region),
    ...inBuckets,
    expected: [200, valueOf("S3_REGION")],
    otherwise: [200, "us-east-1"]
  },
  S3_ACCESS_KEY_ID: {
    look: signed(([id]) => id),
    ...inBuckets,
    expected: [200, "VERBATIM"],
    otherwise: [200, "AMAZONS-WAY"]
  },
  S3_SECRET_ACCESS_KEY: {
    look: signed((_, stage, run) => objectsOf(stage, run).owner.secretAccessKey),
    ...inBuckets,
    expected: [200, "correct horse battery staple"],
    otherwise: [200, "of the environment"]
  },
  KEEP_MEDIA: { look: isKept, ...inBuckets, expected: true, otherwise: false },
  KEEP_FAILED_MEDIA: {
    look: retried,
    unusual: "local",
    expected: 409,
    usual: "usual",
    otherwise: 200
  },
  RETENTION_MEDIA_DAYS: {
    look: keeps("media kept"),
    unusual: "local",
    expected: "12 days, by the server's rule",
    usual: "usual",
    otherwise: "as long as the server needs it"
  },
  RETENTION_TRANSCRIPT_DAYS: {
    look: keeps("transcripts kept"),
    unusual: "local",
    expected: "123 days, by the server's rule",
    usual: "usual",
    otherwise: "for ever"
  },
  RETENTION_JOB_DAYS: {
    look: keeps("jobs kept"),
    unusual: "local",
    expected: "1234 days, by the server's rule",
    usual: "usual",
    otherwise: "for ever"
  }
} as const satisfies Readonly<Record<string, Row>>

/** Places that `MEDIA_URL`, `DATABASE_URL` and `DATA_DIR` may name too, or mean. */
export const otherPlaces: Readonly<Record<"file" | "folder" | "here", Look>> = {
  folder: uploadedInto(({ neighbours }) => join(neighbours.folder, "elsewhere")),
  file: async ({ neighbours }) => existsSync(join(neighbours.folder, "elsewhere.db")),
  here: uploadedInto((stage, run) => join(folderOf(run, stage.neighbours), ".verbatim", "media"))
}
