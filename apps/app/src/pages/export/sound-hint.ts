import { isImportId } from '@linnet/sync';
import type { ExportChoice, SoundFormat } from '../../ports/exports.ts';

/**
 * Returns the format whose hint is true for all exported recordings, or null. An Ogg Opus file holds the audio as it was
 * recorded only if the app or a recorder recorded it: a WAV file that was imported is encoded for the export, and so is
 * a denoised version.
 * @param ids the recordings
 */
export function soundHint(
  { sound, version }: Pick<ExportChoice, 'sound' | 'version'>,
  ids: readonly string[],
): SoundFormat | null {
  return sound === 'ogg' && (version === 'cleaner' || ids.some(isImportId)) ? null : sound;
}
