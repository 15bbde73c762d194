import { agreementVersion } from '@linnet/contract/agreement';
import type { Config } from '../../config/index.ts';
import type { DefineCall } from '../../http/calls.ts';
import type { TranscriptAnalyser } from '../../providers/analysis/port.ts';
import type { SpeakerDiariser } from '../../providers/speakers/port.ts';
import type { Hearing } from '../task/hearing.ts';
import { virtualRecorderUrls } from './virtual-recorder.ts';

export interface SiteParts {
  readonly analyser: TranscriptAnalyser;
  /** Null if none is configured. */
  readonly diariser: SpeakerDiariser | null;
}

export function siteRoutes(
  call: DefineCall,
  config: Config,
  { analyser, diariser }: SiteParts,
  hearing: Hearing,
): void {
  call('site/config', async () => ({
    version: config.version,
    billing: config.BILLING,
    engines: {
      transcription: await hearing.languages(),
      analysis: {
        engine: analyser.id,
        kind: analyser.kind,
        structures: [...analyser.structures],
        translates: analyser.translates,
      },
      speakers: (await diariser?.isReady()) ?? false,
    },
    map_tiles:
      config.MAP_TILES_URL === undefined
        ? null
        : { url: config.MAP_TILES_URL, attribution: config.MAP_TILES_ATTRIBUTION ?? '' },
    virtual_recorder_urls: [...virtualRecorderUrls(config)],
    agreement_version: agreementVersion,
    support_url: config.SUPPORT_URL ?? null,
  }));
}
