import * as Delivery from "@verbatim/core/domain/delivery/Delivery"
import * as Job from "@verbatim/core/domain/job/Job"
import { JobEvent } from "@verbatim/core/domain/job/JobEvent"
import * as Preset from "@verbatim/core/domain/preset/Preset"
import * as Summary from "@verbatim/core/domain/summary/Summary"
import * as Transcription from "@verbatim/core/domain/transcription/Transcription"
import * as JobLaws from "@verbatim/testkit/laws/JobLaws"
import * as MachineLaws from "@verbatim/testkit/laws/MachineLaws"

MachineLaws.suite("Preset", Preset)
MachineLaws.suite("Transcription", Transcription)
MachineLaws.suite("Summary", Summary)
MachineLaws.suite("Delivery", Delivery)
JobLaws.suite("Job", { ...Job, JobEvent })
