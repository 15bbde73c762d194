import type { Setting } from '@linnet/contract';
import { transcriptionSetting } from '@linnet/contract/statuses';

export type TranscriptionSetting = {
  /** The BCP 47 tag of the last chosen transcription language, or null if none was chosen. */
  readonly language: string | null;
  /** True (the default) if text is recognized while a recording is in progress. */
  readonly live: boolean;
};

/** Reads the transcription setting, with defaults for missing values. */
export function readTranscriptionSetting(settings: readonly Setting[]): TranscriptionSetting {
  const { group, keys } = transcriptionSetting;
  const read = (key: string) =>
    settings.find((each) => each.group_name === group && each.config_key === key)?.config_value;
  return { language: read(keys.language) ?? null, live: read(keys.live) !== '0' };
}
