/** Every screen: its address, its name, whom it is for, and where its program is. */
import type { ComponentType } from "preact"
import { JobsScreen } from "./jobs/JobsScreen.tsx"
import { hasWorkspace, isOperator, may, session } from "./session/Session.ts"
import type { IconName } from "./ui/Icon.tsx"

/** What a screen is shown with: the parameters of its path. */
export type Parameters = Readonly<Record<string, string>>

/** A screen. */
export interface Screen {
  readonly pattern: string
  readonly title: string
  /** Its sign in the navigation, and the key after `g`; nothing for what is below another one. */
  readonly nav?: { readonly icon: IconName; readonly key: string }
  readonly isFor: () => boolean
  readonly load: () => Promise<ComponentType<{ readonly params: Parameters }>>
}

/** In the order of the navigation. */
export const screens: ReadonlyArray<Screen> = [
  {
    pattern: "/jobs",
    title: "Jobs",
    nav: { icon: "jobs", key: "j" },
    isFor: () => hasWorkspace.value && may("transcriptions:read"),
    load: async () => JobsScreen
  },
  {
    pattern: "/presets",
    title: "Presets",
    nav: { icon: "presets", key: "p" },
    isFor: () => hasWorkspace.value && may("presets:read"),
    load: async () => (await import("./presets/PresetsScreen.tsx")).PresetsScreen
  },
  {
    pattern: "/presets/:slug",
    title: "Preset",
    isFor: () => hasWorkspace.value && may("presets:read"),
    load: async () => (await import("./presets/PresetScreen.tsx")).PresetScreen
  }
]

/** Those of the navigation that the session may see. */
export const shownScreens = (): ReadonlyArray<Screen> =>
  session.value === undefined
    ? []
    : screens.filter(({ isFor, nav }) => nav !== undefined && isFor())

/** Where somebody begins. */
export const homePath = (): string =>
  shownScreens()[0]?.pattern ?? (isOperator.value ? "/work" : "/jobs")
