/** Files of this machine and children of this process, from Node. */
import { layer as children } from "@effect/platform-node-shared/NodeChildProcessSpawner"
import { layer as files } from "@effect/platform-node-shared/NodeFileSystem"
import { layer as paths } from "@effect/platform-node-shared/NodePath"
import { type FileSystem, Layer, type Path } from "effect"
import type { ChildProcessSpawner } from "effect/process"

/** What an engine that runs a program needs. */
export const layer: Layer.Layer<
  ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem | Path.Path
> = Layer.provideMerge(children, Layer.merge(files, paths))
