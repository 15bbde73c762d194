import { agreementVersion } from '@linnet/contract/agreement';
import type { Logger } from 'pino';
import { decodedKinds, type Ffmpeg } from '../../audio/ffmpeg.ts';
import { type Config, downloadFolder } from '../../config/index.ts';
import type { DefineCall } from '../../http/calls.ts';
import { type DownloadState, readDownloadState } from '../../models/index.ts';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import type { SpeakerDiarizer } from '../../providers/speakers/port.ts';
import type { TranscriptionSupport } from '../task/transcription-support.ts';
import { softwareRecorderUrls } from './virtual-recorder.ts';

export interface SiteDependencies {
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly analyzer: TranscriptAnalyzer;
  /** Null if no diarizer is configured. */
  readonly diarizer: SpeakerDiarizer | null;
}

export function siteRoutes(
  call: DefineCall,
  config: Config,
  { ffmpeg, analyzer, diarizer }: SiteDependencies,
  transcription: TranscriptionSupport,
  log: Pick<Logger, 'warn'>,
): void {
  call('site/config', async () => {
    const downloads = await readDownloads(downloadFolder(config), log);
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
      virtual_recorder_urls: [...softwareRecorderUrls(config)],
      sends_mail: config.SMTP_URL !== undefined,
      transcribes_ranges: true,
      dismisses_proposals: true,
      merges_transcripts: true,
      recording_words: true,
      agreement_version: agreementVersion,
      support_url: config.SUPPORT_URL ?? null,
    };
  });
}

/**
 * Reads the state of the model downloads. Returns null if there are no downloads or their state can't be read. The
 * error is only logged, because the app needs the rest of the configuration.
 */
async function readDownloads(
  folder: string | null,
  log: Pick<Logger, 'warn'>,
): Promise<DownloadState | null> {
  if (folder === null) return null;
  try {
    return await readDownloadState(folder);
  } catch (error) {
    log.warn({ err: error }, 'failed to read the state of model downloads');
    return null;
  }
}
