import { isImportId } from '@linnet/sync';
import type { ExportAudioFormat, ExportChoice } from '../../ports/exports.ts';

/**
 * Returns the format whose hint applies to every exported recording, or null. An Ogg Opus file holds the audio as
 * recorded only if the app or a recorder recorded it; imported WAV files and denoised versions are encoded for the
 * export.
 * @param ids the recordings' IDs
 */
export function audioFormatHint(
  { sound, version }: Pick<ExportChoice, 'sound' | 'version'>,
  ids: readonly string[],
): ExportAudioFormat | null {
  return sound === 'ogg' && (version === 'cleaner' || ids.some(isImportId)) ? null : sound;
}
