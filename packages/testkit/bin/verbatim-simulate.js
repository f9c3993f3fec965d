#!/usr/bin/env node
/** The simulation from the command line: a file that exists before the build, so that npm links it. */
import "../dist/simulation/main.js"
