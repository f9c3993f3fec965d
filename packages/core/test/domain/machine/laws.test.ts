import { JobLaws, MachineLaws } from "@verbatim/testkit/laws"
import * as Delivery from "#src/domain/delivery/Delivery"
import * as Job from "#src/domain/job/Job"
import { JobEvent } from "#src/domain/job/JobEvent"
import * as Preset from "#src/domain/preset/Preset"
import * as Summary from "#src/domain/summary/Summary"
import * as Transcription from "#src/domain/transcription/Transcription"

MachineLaws.suite("Preset", Preset)
MachineLaws.suite("Transcription", Transcription)
MachineLaws.suite("Summary", Summary)
MachineLaws.suite("Delivery", Delivery)
JobLaws.suite("Job", { ...Job, JobEvent })
