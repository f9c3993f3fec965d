/** Lists the screens: code, address, title, icon, key, and who can see the screen. */
import { JobsScreen } from "./jobs/JobsScreen.tsx"
import {
  can,
  canManageKeys,
  canReadJobs,
  hasWorkspace,
  isOperator,
  session
} from "./session/Session.ts"
import type { IconName } from "./ui/Button.tsx"

/** Loads the code of a screen, by the pattern of its address. */
export const loaders = {
  "/jobs": async () => JobsScreen,
  "/jobs/:id": async () => (await import("./job/JobScreen.tsx")).JobScreen,
  "/jobs/:id/transcript": async () =>
    (await import("./transcript/TranscriptScreen.tsx")).TranscriptScreen,
  "/presets": async () => (await import("./presets/PresetsScreen.tsx")).PresetsScreen,
  "/presets/:slug": async () => (await import("./presets/PresetScreen.tsx")).PresetScreen,
  "/work": async () => (await import("./work/QueueScreen.tsx")).QueueScreen,
  "/workspaces": async () => (await import("./workspaces/WorkspacesScreen.tsx")).WorkspacesScreen,
  "/workspaces/:id": async () => (await import("./workspaces/WorkspaceScreen.tsx")).WorkspaceScreen,
  "/keys": async () => (await import("./keys/KeyList.tsx")).KeysScreen,
  "/usage": async () => (await import("./usage/UsagePanel.tsx")).UsageScreen
}

interface Screen {
  readonly pattern: keyof typeof loaders
  readonly title: string
  /** The icon, and the key after `g`. Undefined for a screen below another screen. */
  readonly icon?: IconName
  readonly key?: string
  readonly isOpen: () => boolean
}

const canListJobs = (): boolean => isOperator.value || canReadJobs()
const canListKeys = (): boolean => canManageKeys.value
const canOperate = (): boolean => isOperator.value
const canReadPresets = (): boolean => hasWorkspace.value && can("presets:read")
const canReadUsage = (): boolean => isOperator.value || can("usage:read")

export const screens: ReadonlyArray<Screen> = [
  { pattern: "/jobs", title: "Jobs", icon: "jobs", key: "j", isOpen: canListJobs },
  { pattern: "/jobs/:id", title: "Job", isOpen: canReadJobs },
  { pattern: "/jobs/:id/transcript", title: "Transcript", isOpen: canReadJobs },
  { pattern: "/presets", title: "Presets", icon: "presets", key: "p", isOpen: canReadPresets },
  { pattern: "/presets/:slug", title: "Preset", isOpen: canReadPresets },
  { pattern: "/work", title: "Queue", icon: "work", key: "q", isOpen: canOperate },
  { pattern: "/workspaces", title: "Workspaces", icon: "workspaces", key: "s", isOpen: canOperate },
  { pattern: "/workspaces/:id", title: "Workspace", isOpen: canOperate },
  { pattern: "/keys", title: "Keys", icon: "keys", key: "k", isOpen: canListKeys },
  { pattern: "/usage", title: "Usage", icon: "usage", key: "u", isOpen: canReadUsage }
]

export const shownScreens = (): ReadonlyArray<Screen> =>
  session.value === undefined
    ? []
    : screens.filter(({ isOpen, key }) => key !== undefined && isOpen())

export const homePath = (): string =>
  isOperator.value && !hasWorkspace.value ? "/work" : (shownScreens()[0]?.pattern ?? "/jobs")
