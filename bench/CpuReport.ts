/**
 * Reports a process's CPU time, which other work on the machine hardly affects, when its parent
 * requests it. Node loads this module before the process's program.
 */

process.on("message", (message) => {
  if (message !== "cpu") return
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// Without this call, a server could not exit while the benchmark is still connected.
process.channel?.unref()
