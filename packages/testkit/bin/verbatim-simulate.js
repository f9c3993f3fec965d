#!/usr/bin/env node
/** The command-line simulation. This file exists before the build, so that npm can link it. */
import "../dist/simulation/main.js"
