import { agreementVersion } from '@linnet/contract/agreement';
import { decodedKinds, type Ffmpeg } from '../../audio/ffmpeg.ts';
import { type Config, downloadFolder } from '../../config/index.ts';
import type { DefineCall } from '../../http/calls.ts';
import { readDownloadState } from '../../models/index.ts';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import type { SpeakerDiarizer } from '../../providers/speakers/port.ts';
import type { TranscriptionSupport } from '../task/transcription-support.ts';
import { virtualRecorderUrls } from './virtual-recorder.ts';

export interface SiteParts {
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly analyzer: TranscriptAnalyzer;
  /** Null if no diarizer is configured. */
  readonly diarizer: SpeakerDiarizer | null;
}

export function siteRoutes(
  call: DefineCall,
  config: Config,
  { ffmpeg, analyzer, diarizer }: SiteParts,
  transcription: TranscriptionSupport,
): void {
  const folder = downloadFolder(config);
  call('site/config', async () => {
    const downloads = folder === null ? null : await readDownloadState(folder);
    return {
      version: config.version,
      audio_kinds: decodedKinds(ffmpeg).map(({ id }) => id),
      billing: config.BILLING,
      engines: {
        transcription: await transcription.languages(),
        analysis: {
          engine: analyzer.id,
          kind: analyzer.kind,
          structures: [...analyzer.structures],
          translates: analyzer.translates,
        },
        speakers: (await diarizer?.isReady()) ?? false,
        ...(downloads && { downloads: downloads.models }),
      },
      map_tiles:
        config.MAP_TILES_URL === undefined
          ? null
          : { url: config.MAP_TILES_URL, attribution: config.MAP_TILES_ATTRIBUTION ?? '' },
      virtual_recorder_urls: [...virtualRecorderUrls(config)],
      sends_mail: config.SMTP_URL !== undefined,
      agreement_version: agreementVersion,
      support_url: config.SUPPORT_URL ?? null,
    };
  });
}
