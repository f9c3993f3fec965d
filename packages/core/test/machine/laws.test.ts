import * as Delivery from "@verbatim/core/delivery/Delivery"
import * as Job from "@verbatim/core/job/Job"
import { JobEvent } from "@verbatim/core/job/JobEvent"
import * as Preset from "@verbatim/core/preset/Preset"
import * as Summary from "@verbatim/core/summary/Summary"
import * as Transcription from "@verbatim/core/transcription/Transcription"
import * as JobLaws from "@verbatim/testkit/laws/JobLaws"
import * as MachineLaws from "@verbatim/testkit/laws/MachineLaws"

MachineLaws.suite("Preset", Preset)
MachineLaws.suite("Transcription", Transcription)
MachineLaws.suite("Summary", Summary)
MachineLaws.suite("Delivery", Delivery)
JobLaws.suite("Job", { ...Job, JobEvent })
