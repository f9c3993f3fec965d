/**
 * The layers that a program of Effect puts together: what each gives, and what it needs. The types
 * of the layers say the same: `scripts/test/Parts.types.ts` does not compile where they differ.
 */

/** A layer of ours, by the names of services. */
export interface Part {
  /** The package that it comes from. */
  readonly door: string
  /** Layers that give the same, or nearly. */
  readonly instead?: string
  readonly gives: ReadonlyArray<string>
  readonly needs: ReadonlyArray<string>
}

/** What stands higher needs what stands lower. */
export const parts = {
  "routes()": {
    door: "@verbatim/http",
    gives: [],
    needs: [
      ...(["ApiKeys", "Authenticator", "Corrections", "FileSystem", "Followings"] as const),
      ...(["Generator", "Health", "HttpPlatform", "HttpRouter", "Jobs", "KeyUses"] as const),
      ...(["OperatorKeys", "Path", "Presets", "RequestLimits", "SpeechCalls"] as const),
      ...(["Submissions", "Usage", "WorkQueue", "WorkerRegistry", "Workspaces"] as const)
    ]
  },
  "mount()": {
    door: "@verbatim/embed/mount",
    gives: [],
    needs: [
      ...(["ApiKeys", "Authenticator", "Corrections", "FileSystem", "Followings"] as const),
      ...(["Generator", "Health", "HttpPlatform", "Jobs", "KeyUses", "OperatorKeys"] as const),
      ...(["Path", "Presets", "RequestLimits", "SpeechCalls", "Submissions", "Usage"] as const),
      ...(["WorkQueue", "WorkerRegistry", "Workspaces"] as const)
    ]
  },
  "worker()": {
    door: "@verbatim/embed/effect",
    gives: ["Worker"],
    needs: [
      ...(["AudioDecoder", "CorrectionStore", "Digest", "JobStore", "Mac"] as const),
      ...(["MediaFetcher", "MediaIdentity", "MediaStore", "PresetStore"] as const),
      ...(["RetentionStore", "SecureRandom", "Summarizer", "Transcriber"] as const),
      ...(["WebhookSender", "WorkQueue", "WorkerRegistry", "WorkspaceStore"] as const)
    ]
  },
  "Authenticator.keys": {
    door: "@verbatim/http",
    instead: "one of your own",
    gives: ["Authenticator"],
    needs: ["ApiKeys"]
  },
  "NodeHttpServer.layerHttpServices": {
    door: "@effect/platform-node",
    gives: ["ChildProcessSpawner", "FileSystem", "Generator", "HttpPlatform", "Path"],
    needs: []
  },
  "Services.layer": {
    door: "@verbatim/core/services",
    gives: [
      ...(["ApiKeys", "Corrections", "Followings", "JobFeeds", "JobRecords", "Jobs"] as const),
      ...(["KeyUses", "MediaIdentity", "OperatorKeys", "Presets", "RequestLimits"] as const),
      ...(["SpeechCalls", "Submissions", "Transcripts", "Uploads", "Usage", "Workspaces"] as const)
    ],
    needs: [
      ...(["CorrectionStore", "Digest", "JobStore", "MediaFetcher", "MediaStore"] as const),
      ...(["OperatorKeyStore", "PresetStore", "RateLimiterStore", "SecureRandom"] as const),
      "WorkspaceStore"
    ]
  },
  "Sql.layer()": {
    door: "@verbatim/adapters/sql",
    instead: "the layers of /sqlite, /postgres and /memory, which need nothing",
    gives: [
      ...(["CorrectionStore", "JobStore", "OperatorKeyStore", "PresetStore"] as const),
      ...(["RateLimiterStore", "RetentionStore", "SchemaStanding", "WorkQueue"] as const),
      ...(["WorkerRegistry", "WorkspaceStore"] as const)
    ],
    needs: ["SqlClient"]
  },
  "Filesystem.layer()": {
    door: "@verbatim/adapters/filesystem",
    instead: "that of /s3",
    gives: ["MediaStore"],
    needs: []
  },
  "Net.layer()": {
    door: "@verbatim/adapters/net",
    gives: ["MediaFetcher", "WebhookSender"],
    needs: []
  },
  "Pocketsphinx.layer()": {
    door: "@verbatim/adapters/pocketsphinx",
    instead: "those of /whisper, /openai and /ai-sdk, or one of your own",
    gives: ["Transcriber"],
    needs: []
  },
  "LexRank.layer": {
    door: "@verbatim/adapters/lexrank",
    instead: "that of /openai, or one of your own",
    gives: ["Summarizer"],
    needs: []
  },
  "Ffmpeg.layer()": {
    door: "@verbatim/adapters/ffmpeg",
    gives: ["AudioDecoder"],
    needs: []
  },
  platform: {
    door: "@verbatim/embed/effect",
    gives: ["Digest", "Mac", "SecureRandom"],
    needs: []
  }
} as const satisfies Readonly<Record<string, Part>>

type Parts = Readonly<Record<string, Part>>

/** Who gives what none of ours does. */
const own = "your own"

/** Which part needs which, and for what. Of several that give it, the first one counts. */
export const arrowsOf = (all: Parts): ReadonlyArray<readonly [string, string]> =>
  Object.entries(all).flatMap(([name, { needs }]) => {
    const givers = needs.map(
      (need) => Object.entries(all).find(([, { gives }]) => gives.includes(need))?.[0] ?? own
    )
    return [...new Set(givers)].map((giver) => [name, giver] as const)
  })

const listOf = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : names.map((name) => `\`${name}\``).join(", ")

/** The picture as Mermaid, and a table with all names. */
export const drawParts = (all: Parts): string => {
  const names = [...Object.keys(all), own]
  const idOf = (name: string): string => `part${names.indexOf(name)}`
  const rows = Object.entries(all).map(([name, { door, gives, instead, needs }]) => {
    const others = instead === undefined ? "" : `; instead: ${instead}`
    return `| \`${name}\` of \`${door}\`${others} | ${listOf(gives)} | ${listOf(needs)} |`
  })
  return [
    "```mermaid",
    "flowchart TD",
    ...names.map((name) => `  ${idOf(name)}["${name}"]`),
    ...arrowsOf(all).map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`),
    "```",
    "",
    "| layer | gives | needs |",
    "| --- | --- | --- |",
    ...rows
  ].join("\n")
}

const marks = /(<!-- parts -->\n)[\s\S]*?(\n<!-- end of parts -->)/

/** The document with the picture between its marks; none when there are no marks. */
export const withParts = (document: string, drawn: string): string | undefined =>
  marks.test(document)
    ? document.replace(marks, (_, open: string, close: string) => `${open}${drawn}${close}`)
    : undefined
