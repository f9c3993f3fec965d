import { JobLaws, MachineLaws } from "@verbatim/testkit/laws"
import * as Correction from "#src/domain/correction/Correction"
import * as Delivery from "#src/domain/delivery/Delivery"
import * as Job from "#src/domain/job/Job"
import { JobEvent } from "#src/domain/job/JobEvent"
import * as RetentionState from "#src/domain/job/RetentionState"
import * as Notice from "#src/domain/notice/Notice"
import * as Preset from "#src/domain/preset/Preset"
import * as Summary from "#src/domain/summary/Summary"
import * as Transcription from "#src/domain/transcription/Transcription"
import * as Workspace from "#src/domain/workspace/Workspace"

MachineLaws.suite("Preset", Preset)
MachineLaws.suite("Transcription", Transcription)
MachineLaws.suite("Summary", Summary)
MachineLaws.suite("Delivery", Delivery)
MachineLaws.suite("Notice", Notice)
MachineLaws.suite("Workspace", Workspace)
MachineLaws.suite("RetentionState", RetentionState)
MachineLaws.suite("Correction", Correction)
JobLaws.suite("Job", { ...Job, JobEvent })
