/**
 * `verbatim retention preview` and `verbatim workspaces retain`: for how long old jobs stay, and
 * what would go now.
 */
import { type Outlook, previewExpiry, unnotedMax } from "@verbatim/core/services"
import {
  DefaultRetention,
  type RetentionRule,
  retentionDayMax,
  ruleInForce,
  type Workspace,
  type WorkspaceChange
} from "@verbatim/core/workspace"
import { Console, DateTime, Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import {
  everyAccount,
  onExistingStore,
  printable,
  theAccount,
  workspaceArgument
} from "./operation.ts"
import { change, isDeleted, mustWish } from "./standing.ts"

const isDays = (text: string): boolean =>
  text === "default" || (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= retentionDayMax)

const daysFlag = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`Days after a job has ended for which ${what} stays, or default`),
    Flag.filter(isDays, () => `default, or a whole number from 1 to ${retentionDayMax}`),
    Flag.map((text) => (text === "default" ? null : Number(text))),
    Flag.optional
  )

const flags = {
  mediaDays: daysFlag("media-days", "its media"),
  transcriptDays: daysFlag("transcript-days", "its transcript"),
  jobDays: daysFlag("job-days", "the whole job")
}

const daysText = (days: number): string => `${days} day${days === 1 ? "" : "s"}`

/** For how long a workspace keeps what, by name. */
export const describeRetention = Effect.fnUntraced(function* (own: RetentionRule) {
  const server = yield* DefaultRetention
  const inForce = ruleInForce(own, server)
  const show = (
    name: keyof RetentionRule,
    otherwise: { readonly along: string; readonly without: string }
  ) => {
    const days = inForce[name]
    if (days === null) return otherwise.without
    if (own[name] === days) return daysText(days)
    const isServers = own[name] === null && server[name] === days
    return `${daysText(days)}, ${isServers ? "by the server's rule" : otherwise.along}`
  }
  return {
    "media kept": show("mediaDays", {
      along: "with the transcript",
      without: "as long as the server needs it"
    }),
    "transcripts kept": show("transcriptDays", { along: "with the job", without: "for ever" }),
    "jobs kept": show("jobDays", { along: "", without: "for ever" })
  }
})

const toChange = (
  given: {
    readonly [Name in keyof RetentionRule]: Option.Option<number | null>
  }
): WorkspaceChange => ({
  ...Option.match(given.mediaDays, { onNone: () => ({}), onSome: (mediaDays) => ({ mediaDays }) }),
  ...Option.match(given.transcriptDays, {
    onNone: () => ({}),
    onSome: (transcriptDays) => ({ transcriptDays })
  }),
  ...Option.match(given.jobDays, { onNone: () => ({}), onSome: (jobDays) => ({ jobDays }) })
})

/** Says for how long a workspace keeps what. */
export const retain = Command.make(
  "retain",
  { id: workspaceArgument, ...flags },
  Effect.fn(function* ({ id, ...given }) {
    const wish = toChange(given)
    yield* mustWish(wish, "Say --media-days, --transcript-days or --job-days.")
    const changed = yield* change(id, wish)
    for (const [label, value] of Object.entries(yield* describeRetention(changed))) {
      yield* Console.log(`${label.padEnd(16)} ${value}`)
    }
  }, onExistingStore)
).pipe(Command.withDescription("Say for how long a workspace keeps media, transcripts and jobs"))

const lineOf = ({ id, name }: Workspace, outlook: Outlook): string => {
  const { isAll, jobs, media, oldest, transcripts, unnoted } = outlook
  const since = Option.map(oldest, (at) => `the oldest ended ${DateTime.formatIso(at)}`)
  const unlooked = `${unnoted}${unnoted === unnotedMax ? " or more" : ""} jobs`
  return [
    id,
    ...(isAll ? [] : ["more than"]),
    `${jobs} jobs`,
    `${transcripts} transcripts`,
    `${media} files`,
    ...Option.toArray(since),
    ...(unnoted > 0 ? [`${unlooked} are not looked at yet`] : []),
    printable(name)
  ].join("  ")
}

const preview = Command.make(
  "preview",
  {
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("Id of the workspace; all of them without it"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ workspace: wanted }) {
    const accounts = Option.match(wanted, {
      onNone: () => everyAccount,
      onSome: (id) => Stream.fromEffect(theAccount(id))
    })
    let isRuled = false
    yield* Stream.runForEach(accounts, ({ workspace }) => {
      // What a deleted one has goes anyway.
      if (isDeleted(workspace)) return Effect.void
      return Effect.flatMap(previewExpiry(workspace), (outlook) => {
        if (Option.isNone(outlook)) return Effect.void
        isRuled = true
        return Console.log(lineOf(workspace, outlook.value))
      })
    })
    if (!isRuled) yield* Console.log("Nothing goes by itself: there is no rule of retention.")
  }, onExistingStore)
).pipe(Command.withDescription("Tell what would go now, by workspace; nothing is changed"))

/** The command group. */
export const retention = Command.make("retention").pipe(
  Command.withDescription("Look at what goes when its time is over"),
  Command.withSubcommands([preview])
)
