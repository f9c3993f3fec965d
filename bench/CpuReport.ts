/**
 * Reports a process's CPU time on request, which other work on the machine hardly affects. This
 * module is loaded into the process before its program.
 */

process.on("message", (message) => {
  if (message !== "cpu") return
  const { system, user } = process.cpuUsage()
  process.send?.(system + user)
})

// A server must be able to exit while the benchmark is still connected.
process.channel?.unref()
